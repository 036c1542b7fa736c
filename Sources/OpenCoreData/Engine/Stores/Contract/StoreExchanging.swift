import Foundation

/// A store whose contents can be replaced as a whole. Other writers are locked out in the meantime, or their writes are
/// noticed.
@_spi(Store) public protocol StoreExchanging {
  /// The store's metadata.
  func metadata() throws -> [String: Any]

  /// Replaces the contents by those of another store of the same kind, which must not be open.
  /// - Parameter willCommit: called when nothing of the other store is needed any more, if that store may be used until then.
  /// - Throws: 134050 if others have written the store in the meantime, and the errors of writing; the store is unchanged
  ///   then.
  func takeContents(of other: URL, willCommit: () -> Void) throws
}
