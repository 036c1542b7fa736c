import Foundation
import OpenCocoaFoundation

/// Migrates a store of another version of the model when it is opened with options that ask for migration.
struct AutomaticMigration {
  let coordinator: NSPersistentStoreCoordinator
  let storeClass: NSPersistentStore.Type
  let type: String
  let configuration: String?
  let url: URL
  let options: [AnyHashable: Any]?
  /// Called each time when it is known from which version the store is to be migrated, and before that is done: a test has
  /// another program come in between.
  var willCarryOut: () throws -> Void = {}

  private var destination: NSManagedObjectModel { coordinator.managedObjectModel }

  /// Migrates the store to the coordinator's model: by the stages in the options, or else by a mapping model from the
  /// bundles, or else by a mapping that is inferred from both models.
  ///
  /// - Throws: 134130 if the store's model is not found, 134140 if there is no mapping, 134110, 134111 or 134120 as
  ///   `InPlaceMigration.run(progress:)`, 256 if a mapping model cannot be read, and the errors of stages and of a
  ///   migration manager. The store then has the old version, or that of an earlier stage.
  func run() throws {
    MigrationLog.write("will attempt automatic schema migration of the store at \(url.placeOfStore)")
    FrameworkStart.ensure()
    let watch = Watchers.watchContexts ? ContextWatch(.migration) : nil
    do {
      try migrate()
    } catch {
      MigrationLog.write("failed: \((error as NSError).localizedDescription)")
      watch?.fail()
      throw error
    }
    watch?.end(detail: url.placeOfStore)
    MigrationLog.write("automatic schema migration completed successfully")
  }

  /// Migrates the store from the version that it has. If another program brings it to another version before that is done,
  /// or between two stages, it is migrated from there.
  private func migrate() throws {
    let migrationOptions = try MigrationOptions(options)
    // After the migration, classes look for their entities in the coordinator's own model first.
    defer { ModelRegistry.use(destination) }
    var version = try storedHashes()
    while true {
      do {
        return try migrateOnce(migrationOptions)
      } catch let error as NSError where Self.tellsOfAnotherVersion(error) {
        // Without another version the same would happen again.
        let found = try storedHashes()
        if found == version { throw error }
        version = found
        MigrationLog.write("the store has another version by now: \(error.localizedDescription)")
      }
    }
  }

  /// Whether an error says that a store is not of the version that it was taken for.
  private static func tellsOfAnotherVersion(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain
      && [
        NSMigrationMissingSourceModelError, NSManagedObjectModelReferenceNotFoundError,
        NSPersistentStoreIncompatibleVersionHashError,
      ].contains(error.code)
  }

  private func migrateOnce(_ migrationOptions: MigrationOptions) throws {
    if let stages = migrationOptions.stages {
      MigrationLog.write("migrating in \(stages.stages.count) stages")
      return try run(stages, migrationOptions)
    }
    let (source, metadata) = try source()
    if destination.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) {
      return MigrationLog.write("another program has migrated the store")
    }
    try willCarryOut()
    MigrationLog.write("looking for a mapping model from \(source.versionChecksum) to \(destination.versionChecksum)")
    if let mapping = try NSMappingModel(forMigrationFrom: source, to: destination) {
      MigrationLog.write("found a compatible mapping model with \(mapping.entityMappings?.count ?? 0) entity mappings")
      return try StoreRemaking.migrate(place, from: source, to: destination, mapping)
    }
    guard migrationOptions.infers else {
      throw StoreMigrationError.missingMapping(
        from: source, to: destination,
        reason: "There is no mapping model in the bundles, and \(NSInferMappingModelAutomaticallyOption) is off.")
    }
    MigrationLog.write("no suitable mapping model found in the bundles; inferring one")
    try infer(from: source, to: destination, migrationOptions)
  }

  /// Whether a stage has still to be finished, even if the store has the wanted version.
  var isUnfinished: Bool {
    guard let stages = try? MigrationOptions(options).stages,
      let metadata = try? place.metadata()
    else { return false }
    return NSStagedMigrationManager.unfinishedStage(stages.stages, metadata) != nil
  }

  private func run(_ stages: NSStagedMigrationManager, _ migrationOptions: MigrationOptions) throws {
    try stages.migrate(
      place, configuration: configuration, to: destination,
      model: { checksum in
        // The store keeps the model of its present version alone.
        if let source = try? source().model, source.versionChecksum == checksum { return source }
        return ModelRegistry.all.first { $0.versionChecksum == checksum }
      },
      lightweight: { _, source, destination in try infer(from: source, to: destination, migrationOptions) })
  }

  private func storedHashes() throws -> [String: Data]? {
    try place.metadata()[NSStoreModelVersionHashesKey] as? [String: Data]
  }

  /// The model that the store was made with, and the metadata by which it was found.
  private func source() throws -> (model: NSManagedObjectModel, metadata: [String: Any]) {
    let (source, metadata) = try SourceModelSearch.model(
      readingMetadata: {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: options)
      }, cached: { try storeClass.keptModel(at: place) })
    guard let source else { throw StoreMigrationError.missingSource(url.placeOfStore, metadata) }
    try source.prepareWithinLimits()
    return (source, metadata)
  }

  private var place: MigrationPlace { MigrationPlace(url, type, options) }

  private func infer(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel, _ migrationOptions: MigrationOptions
  ) throws {
    // The models of stages have not been looked at yet.
    for model in [source, destination] { try model.prepareWithinLimits() }
    try storeClass.migrate(
      place, by: InferredMigration(from: source, to: destination), configuration: configuration,
      defers: migrationOptions.defers)
  }
}
