import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Writes a copy of a store to a file that does not exist yet: everything that has been saved so far, external values
  /// included.
  ///
  /// Others, in this process or another, may go on reading and writing the store; without a write-ahead log their saves
  /// wait. The copy has the store's UUID. Not in Apple's framework (D-EXT-16).
  ///
  /// ```swift
  /// let copy = folder.appendingPathComponent("Backup.sqlite")
  /// try NSPersistentStoreCoordinator.backUpPersistentStore(at: folder.appendingPathComponent("Diary.sqlite"), to: copy)
  /// print(try openDiary(at: copy).viewContext.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// ```
  /// - Parameters:
  ///   - storeURL: the store; it need not be open.
  ///   - url: where the copy is to be; its folder must exist.
  ///   - options: `NSPersistentStoreTimeoutOption`.
  ///   - progress: counts pages of the database; cancelling it ends the copy.
  /// - Throws: 516 if there is something at `url`, 260 if there is no file at `storeURL`, 259 if that file is no store, 256
  ///   if the folder of the copy is missing, 640 if there is no room, 134090 if the store stays locked, 3072 after a
  ///   cancellation. If an error is thrown, there is no copy.
  public class func backUpPersistentStore(
    at storeURL: URL, to url: URL, options: [AnyHashable: Any]? = nil, progress: Progress? = nil
  ) throws {
    try copyPersistentStore(at: storeURL, to: url, options: options, progress: progress, isQuiet: false)
  }

  /// Writes a copy as `backUpPersistentStore(at:to:)` does. If `isQuiet`, changes no byte of the store and its folder.
  /// - Throws: the same errors, and 134090 if the store was written while it was read quietly.
  package class func copyPersistentStore(
    at storeURL: URL, to url: URL, options: [AnyHashable: Any]? = nil, progress: Progress? = nil, isQuiet: Bool
  ) throws {
    let source = try StoreFiles(storeURL), destination = try StoreFiles(url)
    let options = try StoreOptions(options)
    _ = try StoreInspection.open(storeAt: storeURL, timeout: options.timeout)
    let exists = NSError(
      coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(url.path) already.",
      [NSFilePathErrorKey: url.path])
    guard destination.kind == .missing else { throw exists }
    let copy = try StoreCopy(
      of: source, beside: destination, timeout: options.timeout, progress: progress, isQuiet: isQuiet)
    defer { copy.remove() }
    guard try copy.install(at: destination) else { throw exists }
  }

  /// Writes a copy of an open store to a file that does not exist yet, as `backUpPersistentStore(at:to:)` does.
  /// - Throws: the same errors, and 134070 for a store that is not a SQLite store.
  public final func backUp(_ store: NSPersistentStore, to url: URL, progress: Progress? = nil) throws {
    guard let store = store as? SQLiteStore else {
      throw NSError(
        coreData: NSPersistentStoreOperationError, "A store of type \(store.type) cannot be backed up while it is open."
      )
    }
    try Self.backUpPersistentStore(
      at: store.givenPlace, to: url, options: store.options, progress: progress)
  }
}
