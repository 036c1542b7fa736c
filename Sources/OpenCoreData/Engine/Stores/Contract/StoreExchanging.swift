import Foundation

/// A store whose contents can be exchanged as a whole. Other writers are locked out meanwhile, or their writes are
/// noticed.
@_spi(Store) public protocol StoreExchanging {
  /// The store's metadata.
  func metadata() throws -> [String: Any]

  /// Replaces the contents by those of another store of the same kind, which must not be open.
  /// - Parameter willCommit: called when nothing of the other store is needed any more, if the store goes on using it until
  ///   then.
  /// - Throws: 134050 if others have written the store meanwhile, and what writing throws; the store is as it was then.
  func takeContents(of other: URL, willCommit: () -> Void) throws
}
