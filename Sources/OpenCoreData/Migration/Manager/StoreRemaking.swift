import Foundation
import OpenCocoaFoundation

/// Migrates a store with a manager, and puts the new store in its place.
///
/// The old store stays until the new one is complete; then its contents are exchanged as a whole. A SQLite store cannot be
/// written by others from before it is read until that is done. A store that is one file has no such lock: where somebody
/// has written it meanwhile, it is migrated anew.
enum StoreRemaking {
  /// How often a file is migrated that others keep writing.
  private static let mostAttempts = 20

  /// Nothing is done for a store that somebody else has brought to the destination's version meanwhile.
  /// - Throws: what `NSMigrationManager.migrateStore` throws, 134160 where the contents cannot be exchanged, 134090 for a
  ///   store that stays locked; the store is as it was then.
  static func migrate(
    _ place: MigrationPlace, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel, by manager: NSMigrationManager? = nil
  ) throws {
    let manager = manager ?? NSMigrationManager(sourceModel: source, destinationModel: destination)
    let files = try StoreFiles(place.url), options = try StoreOptions(place.options)
    func remake(_ metadata: [String: Any], _ install: (URL) throws -> Void) throws {
      if isDone(metadata, from: source, to: destination) { return }
      MigrationWorkingFiles.removeLeftOver(beside: files)
      let working = try MigrationWorkingFiles.make(beside: files)
      defer { MigrationWorkingFiles.remove(working) }
      try manager.migrate(from: place, to: MigrationPlace(working, place.type, place.options), mapping)
      try install(working)
    }
    let storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
    if storeClass == SQLiteStore.self {
      let exchange = try StoreExchange(files, options: options)
      return try remake(exchange.metadata().dictionary) { working in
        do {
          try exchange.takeContents(of: StoreFiles(working)) { MigrationWorkingFiles.remove(working) }
        } catch {
          throw MigrationFailure.destination(error, place.url)
        }
      }
    }
    try NSPersistentStoreCoordinator(managedObjectModel: destination).requireFile(storeClass, place.type)
    try unlessWritten {
      let file = try StoreFile(lookingAt: place.url, timeout: options.timeout)
      try remake(place.metadata()) { try file.replace(with: RegularFile.contents($0)) }
    }
  }

  /// Migrates a file, and again where somebody else has written it meanwhile.
  static func unlessWritten(_ migrate: () throws -> Void) throws {
    for _ in 1..<mostAttempts {
      do { return try migrate() } catch let error as NSError
        where error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveConflictsError
      {}
    }
    try migrate()
  }

  /// Whether a store is of the new version and no more of the old.
  static func isDone(
    _ metadata: [String: Any], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    func isOf(_ model: NSManagedObjectModel) -> Bool {
      ([nil] + model.configurations).contains {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
      }
    }
    return isOf(destination) && !isOf(source)
  }
}
