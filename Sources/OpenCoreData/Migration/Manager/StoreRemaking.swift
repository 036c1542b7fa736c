import Foundation
import OpenCocoaFoundation

/// Migrates a store with a manager, and puts the new store in its place.
///
/// The old store stays until the new one is complete; then its contents are exchanged as a whole. A SQLite store cannot be
/// written by others from before it is read until that is done. A store that is one file has no such lock: where somebody
/// has written it meanwhile, it is migrated anew.
enum StoreRemaking {
  /// A store that another process has migrated to the destination's version meanwhile is left as it is.
  /// - Throws: what `NSMigrationManager.migrateStore` throws, 134160 where the contents cannot be exchanged, 134090 for a
  ///   store that stays locked; the store is as it was then.
  static func migrate(
    _ place: MigrationPlace, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel, by manager: NSMigrationManager? = nil
  ) throws {
    let manager = manager ?? NSMigrationManager(sourceModel: source, destinationModel: destination)
    let storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
    try NSPersistentStoreCoordinator(managedObjectModel: destination).requireFile(storeClass, place.type)
    let files = try StoreFiles(place.url)
    try WrittenMeanwhile.retrying {
      let exchange = try storeClass.beginExchange(place)
      if InferredMigration.isDone(try exchange.metadata(), from: source, to: destination) { return }
      MigrationWorkingFiles.removeLeftOver(beside: files)
      let working = try MigrationWorkingFiles.make(beside: files)
      defer { MigrationWorkingFiles.remove(working) }
      try manager.migrate(from: place, to: MigrationPlace(working, place.type, place.options), mapping)
      do {
        try exchange.takeContents(of: working) { MigrationWorkingFiles.remove(working) }
      } catch  where !WrittenMeanwhile.isReason(error) {
        throw MigrationFailure.destination(error, place.url)
      }
    }
  }
}
