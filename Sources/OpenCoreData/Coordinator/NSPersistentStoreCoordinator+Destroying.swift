import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Removes a store with all its files: the database, its log, and the folder of external values.
  ///
  /// Whoever has the store open, here or in another process, finds it empty: reading and saving throw. Remove it from
  /// coordinators before. That there is no store is no error.
  /// - Parameter options: `NSPersistentStoreTimeoutOption`; `NSPersistentStoreForceDestroyOption` removes what is locked,
  ///   damaged or no store, too.
  /// - Throws: 134000 for an unknown type, 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be
  ///   written or removed, 134090 when it stays locked.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try Self.requireSQLite(storeType)
    try StoreDestruction.destroy(StoreFiles(url), options: StoreOptions(options))
  }

  /// Removes a store with all its files, as `destroyPersistentStore(at:ofType:options:)` does.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }
}
