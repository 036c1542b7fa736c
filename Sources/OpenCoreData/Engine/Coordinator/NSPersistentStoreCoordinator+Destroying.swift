import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Destroys a store: a SQLite store's file stays as a database without tables, its log and the folder of external
  /// values go; of an atomic store its file goes. For tests, and for a program that begins anew when a store cannot be
  /// used.
  ///
  /// The remaining file of a SQLite store opens as a new store, and may be removed; it has no metadata (259), and cannot
  /// be opened for reading only (513). Destroying the store again, and destroying where there is no store, is no error:
  /// such a file is there afterwards, too, unless the folder is missing (D-STO-30).
  /// By a symbolic link the store is destroyed to which the link leads; the link stays.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let url = folder.appendingPathComponent("Diary.sqlite")
  /// context.reset()
  /// try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
  /// try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
  /// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 0
  /// ```
  ///
  /// A store that this coordinator has at that URL is removed from it first, with the notifications of `remove(_:)`.
  /// Other coordinators and processes that have the store open find it empty: reading and saving throw. Deleting the file
  /// instead would leave them writing to a file that no other program sees.
  ///
  /// Differs from Apple (D-STO-11, D-STO-13, D-STO-24): a file that is no store is an error, and the store leaves the
  /// coordinator.
  /// - Parameters:
  ///   - url: where the store is.
  ///   - storeType: its type.
  ///   - options: `NSPersistentStoreTimeoutOption`; `NSPersistentStoreForceDestroyOption` destroys what is locked,
  ///     damaged or no store, too.
  /// - Throws: 134000 for an unknown type, 134070 for a type whose stores are no files (but not for stores in memory, of
  ///   which nothing remains), 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be written
  ///   or removed, 134090 when it stays locked.
  ///
  /// See also ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    let storeClass = try Self.storeClass(forType: storeType)
    if storeClass.isInMemoryOnly { return }
    try requireFile(storeClass, storeType)
    try storeClass.destroyStore(at: url, options: options) { try letGo(of: url) }
  }

  /// Removes the stores that the coordinator has at a URL.
  private final func letGo(of url: URL) throws {
    while let store = persistentStore(for: url) { try remove(store) }
  }

  /// Destroys a store and leaves no file of it, as `coredata store destroy` does.
  /// - Throws: as `destroyPersistentStore(at:ofType:options:)`.
  package final func removePersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    let storeClass = try Self.storeClass(forType: storeType)
    if storeClass.isInMemoryOnly { return }
    try requireFile(storeClass, storeType)
    try storeClass.removeStore(at: url, options: options)
  }

  /// - Throws: 134070 for a class whose stores are not known to be files.
  final func requireFile(_ storeClass: NSPersistentStore.Type, _ type: String) throws {
    if storeClass.isFile { return }
    throw NSError(
      coreData: NSPersistentStoreOperationError, "Stores of type '\(type)' cannot be handled as files.")
  }

  /// Destroys a store, as `destroyPersistentStore(at:ofType:options:)` does.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }
}
