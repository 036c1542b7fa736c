import Foundation

extension ProgressiveMigration {
  /// A store that steps are applied to. It must not be open in this process.
  package struct Store {
    package let url: URL
    package let type: String
    /// The configuration of the models that the store has; nil for all entities.
    package let configuration: String?
    package let options: [AnyHashable: Any]?

    package init(
      _ url: URL, type: String, configuration: String? = nil, options: [AnyHashable: Any]? = nil
    ) {
      (self.url, self.type) = (url, type)
      (self.configuration, self.options) = (configuration, options)
    }

    fileprivate var place: MigrationPlace { MigrationPlace(url, type, options) }
    fileprivate var isDatabase: Bool { type == NSSQLiteStoreType }

    /// The class that plans migrations by statements in a database that is not a file; nil for other stores.
    fileprivate var planning: (any MigrationPlanning.Type)? {
      (try? NSPersistentStoreCoordinator.storeClass(forType: type)) as? any MigrationPlanning.Type
    }
  }

  /// The outcome of a step, as far as verification needs it.
  package enum Outcome {
    /// The store was migrated in place, by SQL.
    case altered(MigrationPlan)
    /// Another process had migrated the store meanwhile.
    case nothing
    /// The file was written again as a whole.
    case rewritten
    /// The store was migrated by a mapping model.
    case mapped(NSMigrationManager)
  }
}

extension ProgressiveMigration.Step {
  package var inferred: InferredMigration { InferredMigration(from: source, to: destination) }

  /// Returns the plan of the inferred step for a store in a database, with the numbers of rows that do not meet its
  /// conditions.
  /// - Throws: 134140 if no mapping can be inferred, and the errors of reading the store.
  package func plan(_ store: ProgressiveMigration.Store) throws -> MigrationPlan {
    guard let planning = store.planning else { return try inPlace(store).plan(checking: true) }
    try source.prepareWithinLimits()
    try destination.prepareWithinLimits()
    return try planning.migrationPlan(store.place, by: inferred, configuration: store.configuration)
  }

  /// Takes the step.
  /// - Parameter progress: Counts the work that is done. If it is cancelled, the store stays as it is. It is not used
  ///   for an inferred step in a store that is written as a whole, or that is not a file.
  /// - Throws: the errors of opening a store with automatic migration; the store is then unchanged.
  package func run(
    _ store: ProgressiveMigration.Store, progress: Progress? = nil
  ) throws -> ProgressiveMigration.Outcome {
    switch means {
    case .mapping(let mapping):
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      progress?.totalUnitCount = 1000
      manager.report = progress
      defer { manager.report = nil }
      try StoreRemaking.migrate(store.place, from: source, to: destination, mapping, by: manager)
      return .mapped(manager)
    case .inferred where store.isDatabase:
      return try inPlace(store).run(progress: progress).map { .altered($0) } ?? .nothing
    case .inferred where store.planning != nil:
      let plan = try plan(store)
      try NSPersistentStoreCoordinator.storeClass(forType: store.type)
        .migrate(store.place, by: inferred, configuration: store.configuration, defers: false)
      return .altered(plan)
    case .inferred:
      try source.prepareWithinLimits()
      try destination.prepareWithinLimits()
      try AtomicMigration(place: store.place, configuration: store.configuration, migration: inferred).run()
      return .rewritten
    }
  }

  private func inPlace(_ store: ProgressiveMigration.Store) throws -> InPlaceMigration {
    try InPlaceMigration(
      storeAt: store.url, from: source, to: destination, configuration: store.configuration, options: store.options)
  }

  /// Compares a store after the step with a copy from before the step.
  /// - Parameters:
  ///   - outcome: What the step has done.
  ///   - before: A copy of the store from before the step.
  ///   - progress: Called with the entity, and how many objects were compared so far.
  /// - Throws: the errors of reading the stores.
  package func verify(
    _ store: ProgressiveMigration.Store, _ outcome: ProgressiveMigration.Outcome, before: URL,
    progress: (String, Int) -> Void = { _, _ in }
  ) throws -> MigrationVerification {
    let old = MigrationPlace(before, store.type, store.options)
    switch (outcome, means) {
    case (.mapped(let manager), .mapping(let mapping)):
      return try MappedVerification(manager: manager, mapping: mapping)
        .run(before: old, after: store.place, progress: progress)
    case (.altered(let plan), _):
      let (before, after) = (
        try InspectedStore(before, model: source), try InspectedStore(store.url, model: destination)
      )
      let result = try InferredVerification(inferred, plan: plan, before: before, after: after)
        .run(progress: progress)
      try after.requireUnchanged()
      return result
    case (.rewritten, _):
      return try InferredVerification(
        inferred, before: AtomicStoreImage(old, nil, source),
        after: AtomicStoreImage(store.place, store.configuration, destination)
      ).run(progress: progress)
    default: return MigrationVerification()
    }
  }
}
