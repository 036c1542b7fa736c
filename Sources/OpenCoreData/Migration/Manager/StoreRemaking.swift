import Foundation
import OpenCocoaFoundation

/// Migrates a store with a manager, and puts the new store in its place.
///
/// The old store stays until the new one is complete; then its contents are replaced as a whole. Other programs cannot write
/// a SQLite store from before it is read until then. A store that is one file has no such lock: if another program has
/// written it in the meantime, it is migrated again.
enum StoreRemaking {
  /// Migrates the store. A store that another process has migrated to the destination's version in the meantime is not
  /// changed.
  /// - Throws: the errors of `NSMigrationManager.migrateStore`; 134110 for a store that CloudKit mirrors, unless
  ///   `OCDMigrateMirroredStoreOption` is among the options; 134130 if another process has brought it to another version
  ///   than the destination's; 134160 if the contents cannot be replaced; 134090 for a store
  ///   that stays locked. The store is unchanged then.
  static func migrate(
    _ place: MigrationPlace, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel, by manager: NSMigrationManager? = nil
  ) throws {
    let manager = manager ?? NSMigrationManager(sourceModel: source, destinationModel: destination)
    let storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
    try NSPersistentStoreCoordinator(managedObjectModel: destination).requireFile(storeClass, place.type)
    try WrittenMeanwhile.retrying {
      let exchange = try storeClass.beginExchange(place)
      let metadata = try exchange.metadata()
      if InferredMigration.isDone(metadata, from: source, to: destination) { return }
      // The source may have more entities than the store.
      guard SourceModelSearch.has(metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:], source) else {
        throw StoreMigrationError.missingSource(place.url.placeOfStore, metadata)
      }
      try exchange.requireNoKeysElsewhere(place.options)
      let (working, remove) = try workingPlace(beside: place, storeClass)
      defer { remove() }
      try manager.migrate(from: place, to: MigrationPlace(working, place.type, place.options), mapping)
      do {
        try exchange.forgetKeysElsewhere()
        try exchange.takeContents(of: working, willCommit: remove)
      } catch  where !WrittenMeanwhile.isReason(error) {
        throw MigrationFailure.destination(error, place.url)
      }
    }
  }

  /// The place at which the new store is made, and a closure that removes it, which may be called twice.
  private static func workingPlace(
    beside place: MigrationPlace, _ storeClass: NSPersistentStore.Type
  ) throws -> (url: URL, remove: () -> Void) {
    if let url = try storeClass.workingURL(beside: place) {
      return (url, { try? storeClass.removeStore(at: url, options: place.options) })
    }
    let files = try StoreFiles(place.url)
    MigrationWorkingFiles.removeLeftOver(beside: files)
    let url = try MigrationWorkingFiles.make(beside: files)
    return (url, { MigrationWorkingFiles.remove(url) })
  }
}
