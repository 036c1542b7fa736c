import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Puts a copy of a store, its external values included, in the place of another one, or where there is none yet: to
  /// restore a backup, or to install a store that comes with the program.
  ///
  /// The copy is of one moment, and has the contents of the source's log; other programs may go on reading and writing
  /// the source. A program that has the destination open reads the old content or the new, never parts of both; it should
  /// be a store of the same model. In a server a program that has it open cannot read on: requests throw 134100 until the
  /// store is added again. A store that was there before is lost with its UUID: the copy has the source's. A symbolic link at
  /// the destination stays, and leads to the copy.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let backup = folder.appendingPathComponent("Backup.sqlite")
  /// try coordinator.replacePersistentStore(
  ///   at: backup, withPersistentStoreFrom: folder.appendingPathComponent("Diary.sqlite"), ofType: NSSQLiteStoreType)
  /// print(try openDiary(at: backup).viewContext.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// ```
  /// - Parameters:
  ///   - destinationURL: where the copy is to be.
  ///   - destinationOptions: `NSPersistentStoreTimeoutOption`; `NSPersistentStoreForceDestroyOption` replaces a file
  ///     that is damaged or no store, too.
  ///   - sourceURL: the store to copy; it stays as it is.
  ///   - sourceOptions: `NSPersistentStoreTimeoutOption`.
  ///   - storeType: the type of both.
  /// - Throws: 134000 for an unknown type, 134070 for a type whose stores are no files, 260 where there is no source, 259
  ///   where one of the two is no store, 256 for a folder or where the destination's folder is missing, 513 for a
  ///   destination that cannot be written, 134090 when one of the two stays locked. After an error the destination is
  ///   unchanged.
  ///
  /// See also ``destroyPersistentStore(at:ofType:options:)``, ``backUp(_:to:progress:)``.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    let storeClass = try Self.storeClass(forType: storeType)
    try requireFile(storeClass, storeType)
    try storeClass.replaceStore(
      at: destinationURL, options: destinationOptions, with: sourceURL, sourceOptions: sourceOptions)
    for store in persistentStores { try store.noteReplacement(at: destinationURL) }
  }

  /// Replaces a store by a copy of another one, in the same way as the method that takes the name of a type.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil, type sourceType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: sourceType.rawValue)
  }
}
