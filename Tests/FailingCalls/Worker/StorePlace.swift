import CoreData
import Foundation
import OpenCoreData

/// The URL and the kind of a store.
struct StorePlace {
  let url: URL
  let kind: StoreKind

  /// The options that the store is opened with.
  var options: [AnyHashable: Any] {
    // The timeout is short: nothing else uses the store, so a longer wait would be for a lock of this process itself.
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: NSNumber(value: 1)]
    if let journal = kind.journal {
      options[NSSQLitePragmasOption] = ["journal_mode": journal]
      options[NSPersistentHistoryTrackingKey] = NSNumber(value: true)
    }
    return options
  }

  /// Adds the store to a coordinator with the given version of the model.
  func open(version: Int, _ more: [AnyHashable: Any] = [:]) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkerModel.all[version])
    try coordinator.addPersistentStore(
      ofType: kind.type, configurationName: nil, at: url, options: options.merging(more) { $1 })
    return coordinator
  }

  /// Removes the files of values that a mark tells of, and the mark, as an opening would do when they are old.
  func removeMarkedFiles() {
    if kind.isSQLite { ExternalFileCleaning.removeLeftByKilled(storePath: url.path, olderThan: 0) }
  }

  /// Removes what a killed process has left: what a mark tells of, and working folders.
  func removeWhatIsLeft() {
    removeMarkedFiles()
    WorkingFolder.removeLeftOver(beside: url.path)
  }

  static func close(_ coordinator: NSPersistentStoreCoordinator) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Opens the store, runs `body` in a context, and closes it.
  func withContext<Result>(version: Int, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let coordinator = try open(version: version)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result: Result
    do {
      result = try context.performAndWait { try body(context) }
    } catch {
      try? Self.close(coordinator)
      throw error
    }
    try Self.close(coordinator)
    return result
  }
}

/// A kind of store, for SQLite with its journal mode.
struct StoreKind {
  let name: String
  let type: String
  let journal: String?

  static let wal = StoreKind(name: "WAL", type: NSSQLiteStoreType, journal: "WAL")
  static let delete = StoreKind(name: "DELETE", type: NSSQLiteStoreType, journal: "DELETE")
  static let xml = StoreKind(name: "XML", type: NSXMLStoreType, journal: nil)
  static let binary = StoreKind(name: "binary", type: NSBinaryStoreType, journal: nil)

  var isSQLite: Bool { type == NSSQLiteStoreType }
}
