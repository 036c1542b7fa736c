import Foundation
import OpenCocoaFoundation

/// One side of a migration: a store, open by itself, and a context on it.
final class MigrationStack {
  let store: NSPersistentStore
  let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// Takes what policies write into the source; nil for the destination.
  private let copy: SourceCopy?

  private init(
    _ coordinator: NSPersistentStoreCoordinator, _ store: NSPersistentStore, _ name: String, copy: SourceCopy? = nil
  ) {
    (self.coordinator, self.store, self.copy) = (coordinator, store, copy)
    context =
      copy.map { MigrationSourceContext($0) }
      ?? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.name = name
    // A damaged store must end the migration, not the program.
    context.readState.failures = FaultFailures()
    context.persistentStoreCoordinator = coordinator
  }

  /// Opens the store to migrate from for reading only, at its present state: later writes of other processes are not
  /// seen. What policies write goes to a copy of it.
  /// - Parameter destination: the place beside which the copy is made.
  /// - Throws: 134150 with the reason.
  static func source(
    _ place: MigrationPlace, _ model: NSManagedObjectModel, copiedBeside destination: MigrationPlace
  ) throws -> MigrationStack {
    do {
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: place.type, at: place.url, options: place.options)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      var options = Self.options(place.options)
      if try NSPersistentStoreCoordinator.storeClass(forType: place.type).isInMemoryOnly == false {
        options[NSReadOnlyPersistentStoreOption] = true
      }
      let store = try coordinator.open(place.type, configuration(of: metadata, model), place.url, options)
      coordinator.add(store)
      let copy = SourceCopy(of: store, beside: [destination.url, place.url])
      let stack = MigrationStack(coordinator, store, "migration source", copy: copy)
      try stack.context.performAndWait {
        try stack.context.setQueryGenerationFrom(NSQueryGenerationToken.current)
        try stack.context.pinQueryGeneration()
      }
      copy.commit = store.latestCommit
      return stack
    } catch {
      throw MigrationFailure.source(error, place.url)
    }
  }

  /// Opens the store to migrate to, or makes it.
  /// - Parameters:
  ///   - url: The place of the store during the migration.
  ///   - configuration: The source's configuration, which is used if the model has it.
  /// - Throws: 134160 with the reason.
  static func destination(
    _ place: MigrationPlace, at url: URL, _ model: NSManagedObjectModel, _ configuration: String?
  ) throws -> MigrationStack {
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let known = configuration.flatMap { model.configurations.contains($0) ? $0 : nil }
      let store = try coordinator.open(place.type, known, url, options(place.options))
      coordinator.add(store)
      let stack = MigrationStack(coordinator, store, "migration destination")
      stack.context.saving.validates = false
      store.keepSeveralOwnersApart()
      return stack
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Returns the configuration that the store has; nil for all entities, or if none fits.
  private static func configuration(of metadata: [String: Any], _ model: NSManagedObjectModel) -> String? {
    if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
    return model.configurations.sorted().first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
  }

  /// Returns the options without those for migration: opening the stores of a migration must not begin another
  /// migration.
  private static func options(_ options: [AnyHashable: Any]?) -> [AnyHashable: Any] {
    var options = options ?? [:]
    for key in MigrationPlace.automaticOptions { options[key] = nil }
    return options
  }

  /// Copies the metadata that the application has set in another store. Values that already exist are kept.
  func takeMetadata(of other: MigrationStack) throws {
    let framework = StoreMetadata.frameworkKeys.union([NSStoreUUIDKey]).union(MigrationPlace.automaticOptions)
    let own = (other.store.metadata ?? [:]).filter { !framework.contains($0.key) }
    store.metadata = (store.metadata ?? [:]).merging(own) { here, _ in here }
    try store.saveMetadata()
  }

  /// Releases the rows that were read: unchanged objects become faults.
  func letGo() { context.refreshAllObjects() }

  func close() {
    context.performAndWait {
      context.reset()
      try? context.setQueryGenerationFrom(nil)
    }
    // `remove` throws only for a store that the coordinator does not have.
    try? coordinator.remove(store)
    copy?.remove()
  }
}
