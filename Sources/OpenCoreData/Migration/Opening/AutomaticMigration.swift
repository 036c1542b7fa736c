import Foundation
import OpenCocoaFoundation

/// What happens to a store of another version of the model when it is opened and its options ask for migration.
struct AutomaticMigration {
  let coordinator: NSPersistentStoreCoordinator
  let storeClass: NSPersistentStore.Type
  let type: String
  let configuration: String?
  let url: URL
  let options: [AnyHashable: Any]?

  private var destination: NSManagedObjectModel { coordinator.managedObjectModel }

  /// Brings the store to the coordinator's model: by a mapping model from the bundles where there is one, else by what
  /// follows from both models.
  ///
  /// - Throws: 134130 where the store's model is not found, 134140 without any mapping, 134110, 134111 or 134120 as
  ///   `InPlaceMigration.run(progress:)`. The store is as it was then.
  func run() throws {
    let wishes = try MigrationOptions(options)
    let isDatabase = storeClass == SQLStore.self
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: url, options: options)
    let cached = { isDatabase ? try StoredModel(contentsOf: url).model : nil }
    guard let source = SourceModelSearch.model(metadata, cached: cached) else {
      throw StoreMigrationError.missingSource(url.path, metadata)
    }
    // What was looked for a class last is found first: the coordinator's own model.
    defer { ModelRegistry.use(destination) }
    source.prepare()
    if let mapping = NSMappingModel(from: nil, forSourceModel: source, destinationModel: destination) {
      return try migrateByMapping(mapping, from: source)
    }
    guard wishes.infers else {
      throw StoreMigrationError.missingMapping(
        from: source, to: destination,
        reason: "There is no mapping model in the bundles, and \(NSInferMappingModelAutomaticallyOption) is off.")
    }
    let migration = InferredMigration(from: source, to: destination)
    if isDatabase {
      try InPlaceMigration(
        path: StoreFiles(url).path, migration: migration, configuration: configuration, options: StoreOptions(options),
        defers: wishes.defers
      ).run()
    } else if storeClass is AtomicFileStore.Type {
      try AtomicMigration(automatic: self, migration: migration).run()
    } else {
      throw StoreMigrationError.missingMapping(
        migration, reason: "A store of type \(type) cannot be migrated without a mapping model.")
    }
  }

  /// Migrates by a mapping model.
  private func migrateByMapping(_ mapping: NSMappingModel, from source: NSManagedObjectModel) throws {
    throw StoreMigrationError.missingMapping(
      from: source, to: destination,
      reason: "A store is not migrated by a mapping model when it is opened: use NSMigrationManager.")
  }
}
