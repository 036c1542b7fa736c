import Foundation

/// A store whose contents are to be exchanged as a whole, while nobody else writes it, or so that this is noticed.
@_spi(Store) public protocol StoreExchanging {
  /// The store's metadata.
  func metadata() throws -> [String: Any]

  /// Puts the contents of another store of the same kind, which nobody has open, in the place of what is there.
  /// - Parameter willCommit: called when nothing of the other store is needed any more, if the store goes on using it until
  ///   then.
  /// - Throws: 134050 if others have written the store meanwhile, and what writing throws; the store is as it was then.
  func takeContents(of other: URL, willCommit: () -> Void) throws
}
