import Foundation

/// An exchange of all contents of a store. Other writers are locked out meanwhile, or the exchange notices their writes.
@_spi(Store) public protocol StoreExchanging {
  /// Returns the store's metadata.
  func metadata() throws -> [String: Any]

  /// Whether the contents may be exchanged for objects with new keys, though something in the store names the present ones.
  /// - Throws: 134110 for a store that CloudKit mirrors, unless `OCDMigrateMirroredStoreOption` is among the options.
  func requireNoKeysElsewhere(_ options: [AnyHashable: Any]?) throws

  /// Has what names the present objects name none any more. To be called before `takeContents(of:willCommit:)`.
  func forgetKeysElsewhere() throws

  /// Replaces the contents by those of another store of the same kind, which must not be open.
  /// - Parameter willCommit: called before the commit, once the other store is not needed any more. An exchange that does not
  ///   need the other store's file as long as that does not call it.
  /// - Throws: 134050 if others have written the store meanwhile, and the errors of writing; the store is then as it was.
  func takeContents(of other: URL, willCommit: () -> Void) throws
}

@_spi(Store) extension StoreExchanging {
  public func requireNoKeysElsewhere(_ options: [AnyHashable: Any]?) throws {}
  public func forgetKeysElsewhere() throws {}
}
