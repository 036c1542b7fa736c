import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Removes a store with all its files: the database, its log, and the folder of external values; of an atomic store of
  /// the application's own, its file.
  ///
  /// Whoever has the store open, here or in another process, finds it empty: reading and saving throw. Remove it from
  /// coordinators before. That there is no store is no error.
  /// - Parameter options: `NSPersistentStoreTimeoutOption`; `NSPersistentStoreForceDestroyOption` removes what is locked,
  ///   damaged or no store, too.
  /// - Throws: 134000 for an unknown type, 134070 for one of stores that are no files (one in memory is no error: there is nothing to
  ///   remove), 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be
  ///   written or removed, 134090 when it stays locked.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    let storeClass = try Self.storeClass(forType: storeType)
    if storeClass == InMemoryStore.self { return }
    let files = try StoreFiles(url), options = try StoreOptions(options)
    if storeClass == SQLStore.self { return try StoreDestruction.destroy(files, options: options) }
    try requireAtomic(storeClass, storeType)
    switch files.isPrivate ? .missing : files.kind {
    case .missing: return
    case .folder, .other: throw files.unreadable("it is no regular file")
    case .file: try StoreFiles.remove(url.path)
    }
  }

  /// Only of atomic stores it is known that they are one file.
  final func requireAtomic(_ storeClass: NSPersistentStore.Type, _ type: String) throws {
    if storeClass is NSAtomicStore.Type, storeClass != InMemoryStore.self { return }
    throw NSError(
      coreData: NSPersistentStoreOperationError, "Stores of type '\(type)' cannot be handled as files.")
  }

  /// Removes a store with all its files, as `destroyPersistentStore(at:ofType:options:)` does.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }
}
