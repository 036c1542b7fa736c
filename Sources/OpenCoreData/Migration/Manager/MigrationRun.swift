import Foundation
import OpenCocoaFoundation

/// One migration of a manager: three passes over the entity mappings.
///
/// Objects are taken in batches. After each batch, the destination is saved without validation, and the objects of both
/// sides turn into faults. This breaks the cycles of relationships, so that only objects that policies hold stay in
/// memory. A store that is written as a whole is saved only at the end of each pass. So is every store if a policy is
/// of an application's class. The objects then stay registered to the end, because policies look for them in the
/// context.
final class MigrationRun {
  /// How many objects are written together.
  static let batchSize = 500
  /// Whether a policy is of an application's class. Such a policy may look for the objects it has made in
  /// `registeredObjects`, so the objects of the destination do not turn into faults.
  private let hasOwnPolicies: Bool

  unowned let manager: NSMigrationManager
  let mappingModel: NSMappingModel
  let source: MigrationStack
  let destination: MigrationStack
  /// The tasks, in the order of the mapping model.
  let tasks: [MigrationTask]
  private let tasksByMapping: [ObjectIdentifier: MigrationTask]
  private let place: MigrationPlace
  private let sourcePlace: MigrationPlace
  /// The known results of `makers(of:)`, by the name of the entity.
  private var knownMakers: [String: [String]] = [:]
  /// The names of the entities whose objects were written.
  private var written: Set<String> = []
  /// The error of an expression that failed, because the evaluation of an expression cannot throw it.
  var failure: NSError?
  /// The relationship whose members an expression is to return.
  var currentRelationship: PropertySlot?

  /// Opens both stores.
  /// - Throws: 134150 and 134160.
  init(
    _ manager: NSMigrationManager, _ mapping: NSMappingModel, _ policies: [NSEntityMigrationPolicy],
    from sourcePlace: MigrationPlace, to place: MigrationPlace, at url: URL
  ) throws {
    self.manager = manager
    self.place = place
    self.sourcePlace = sourcePlace
    mappingModel = mapping
    let mappings: [NSEntityMapping] = mapping.entityMappings ?? []
    hasOwnPolicies = policies.contains { type(of: $0) != NSEntityMigrationPolicy.self }
    tasks = zip(mappings, policies).map { MigrationTask($0, $1, manager) }
    tasksByMapping = Dictionary(tasks.map { (ObjectIdentifier($0.mapping), $0) }, uniquingKeysWith: { $1 })
    source = try MigrationStack.source(sourcePlace, manager.sourceModel, copiedBeside: place)
    do {
      destination = try MigrationStack.destination(
        place, at: url, manager.destinationModel,
        source.store.isDefaultConfiguration ? nil : source.store.configurationName)
    } catch {
      source.close()
      throw error
    }
    destination.context.performAndWait { destination.context.retainsRegisteredObjects = hasOwnPolicies }
  }

  func close() {
    source.close()
    destination.close()
  }

  func task(for mapping: NSEntityMapping) -> MigrationTask? { tasksByMapping[ObjectIdentifier(mapping)] }

  /// The mappings that may have made objects of an entity, in their order, then those of earlier mapping models.
  func makers(of entity: NSEntityDescription?) -> [String] {
    if let known = knownMakers[entity?.name ?? ""] { return known }
    let own = tasks.filter { task in
      guard let entity, let made = task.destination else { return true }
      // A policy may make objects of a subentity.
      return made.isKindOf(entity: entity) || entity.isKindOf(entity: made)
    }
    let earlier = manager.associations.names.filter { name in !tasks.contains { $0.mapping.name == name } }
    let names = own.map { $0.mapping.name ?? "" } + earlier
    knownMakers[entity?.name ?? ""] = names
    return names
  }

  func migrate() throws {
    // Policies use both contexts directly.
    try source.context.performAndWait {
      try destination.context.performAndWait {
        for task in tasks { task.count = try reading { try count(task) } }
        try pass(from: 0, to: 0.5, createInstances)
        try pass(from: 0.5, to: 0.9, createRelationships)
        try pass(from: 0.9, to: 0.95, validate)
        manager.setCurrent(nil)
        if let error = try FinalValidation(destination).errors(written).flatMap(MigrationFailure.validation) {
          throw error
        }
        try writing { try destination.takeMetadata(of: source) }
        manager.setProgress(0.99)
      }
    }
  }

  // MARK: Passes

  /// - Parameter body: does a task, and calls its second argument with the part of the task that is done.
  private func pass(
    from start: Float, to end: Float, _ body: (MigrationTask, _ progress: (Double) throws -> Void) throws -> Void
  ) throws {
    // A mapping without objects needs a little work, too.
    let total = Double(tasks.reduce(tasks.count) { $0 + $1.count })
    var done = 0.0
    for task in tasks {
      manager.setCurrent(task.mapping)
      try manager.checkCancellation()
      let weight = Double(task.count + 1)
      func report(_ part: Double) throws {
        manager.setProgress(start + (end - start) * Float((done + weight * min(part, 1)) / total))
        try manager.checkCancellation()
      }
      try body(task, report)
      done += weight
      try report(0)
    }
    try flush(writesAll: true)
    manager.setProgress(end)
  }

  private func createInstances(_ task: MigrationTask, _ progress: (Double) throws -> Void) throws {
    try call("begin", task) { try task.policy.begin(task.mapping, with: manager) }
    if task.takesInstances {
      let instances = try reading { try SourceInstances(task, manager, source.context) }
      let count = instances.count
      for start in stride(from: 0, to: count, by: Self.batchSize) {
        let range = start..<min(start + Self.batchSize, count)
        for (place, object) in zip(range, instances.objects(range)) {
          try call("createDestinationInstances", task) {
            try task.policy.createDestinationInstances(forSource: object, in: task.mapping, manager: manager)
          }
          try tell(place, of: count, progress)
        }
        try flush()
        try progress(Double(range.upperBound) / Double(count))
      }
    }
    try call("endInstanceCreation", task) {
      try task.policy.endInstanceCreation(forMapping: task.mapping, manager: manager)
    }
    try flush()
  }

  private func createRelationships(_ task: MigrationTask, _ progress: (Double) throws -> Void) throws {
    let made = manager.associations.made(by: task.mapping.name)
    for start in stride(from: 0, to: made.count, by: Self.batchSize) {
      let references = made[start..<min(start + Self.batchSize, made.count)]
      let objects = manager.associations.destinationInstances(references, destination)
      let sources = manager.associations.prepareSources(task.mapping.name, of: references, source)
      try prefetch(task, sources, objects)
      for (place, object) in zip(references.startIndex..., objects) {
        try call("createRelationships", task) {
          try task.policy.createRelationships(forDestination: object, in: task.mapping, manager: manager)
        }
        try tell(place, of: made.count, progress)
      }
      withExtendedLifetime(sources) {}
      try flush()
      try progress(Double(references.endIndex) / Double(made.count))
    }
    try call("endRelationshipCreation", task) {
      try task.policy.endRelationshipCreation(forMapping: task.mapping, manager: manager)
    }
    try flush()
  }

  /// Tells the progress a hundred times within a task: a policy of the program's may take long for each object.
  private func tell(_ place: Int, of count: Int, _ progress: (Double) throws -> Void) throws {
    if place % max(1, count / 100) == 0 { try progress(Double(place) / Double(count)) }
  }

  private func validate(_ task: MigrationTask, _ progress: (Double) throws -> Void) throws {
    try call("performCustomValidation", task) {
      try task.policy.performCustomValidation(forMapping: task.mapping, manager: manager)
    }
    try call("end", task) { try task.policy.end(task.mapping, manager: manager) }
    try flush()
  }

  // MARK: Steps

  private func call(_ step: String, _ task: MigrationTask, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try checkFaults()
      throw MigrationFailure.policy(error, task.policy, task.mapping, step)
    }
    try checkFaults()
    try manager.checkCancellation()
  }

  /// - Throws: 134150 or 134160 if a fault of one of the stores could not be read.
  func checkFaults() throws {
    try reading { try source.context.readState.failures?.check() }
    try writing { try destination.context.readState.failures?.check() }
  }

  /// Saves the changes of the destination, and turns the objects of both sides into faults, as far as this migration
  /// allows it.
  /// - Parameter writesAll: whether to save even where objects are saved only at the end of a pass.
  private func flush(writesAll: Bool = false) throws {
    let context = destination.context
    source.letGo()
    if !writesAll, hasOwnPolicies || destination.store is NSAtomicStore { return }
    if context.hasChanges {
      context.processPendingChanges()
      for object in context.changed { written.insert(object.layout.name) }
      manager.associations.remove(context.deletedObjects)
      do { try context.save() } catch { throw MigrationFailure.save(error, place.url) }
    }
    manager.associations.settle()
    if !hasOwnPolicies { destination.letGo() }
  }

  /// Reads the members of relationships, for all objects of a batch together.
  private func prefetch(_ task: MigrationTask, _ sources: [NSManagedObject], _ objects: [NSManagedObject]) throws {
    if source.store.readsInCompany, let layout = task.source?.layout {
      let owners = ContiguousArray(sources.filter { $0.layout === layout })
      try reading {
        for name in task.sourceRelationships { try Prefetch(into: source.context).read(name, owners, layout) }
      }
    }
    if destination.store.readsInCompany, let layout = task.destination?.layout {
      let owners = ContiguousArray(objects.filter { $0.layout === layout })
      let names = task.relationships.filter { $0.valueExpression != nil }.compactMap(\.name)
      try writing {
        for name in names where layout.slot(named: name)?.kind == .toMany {
          try Prefetch(into: destination.context).read(name, owners, layout)
        }
      }
    }
  }

  /// The number of source objects for a task; 0 if they do not come from a fetch.
  func count(_ task: MigrationTask) throws -> Int {
    guard task.takesInstances, let request = try SourceInstances.request(task, manager) else { return 0 }
    return try source.context.count(for: request)
  }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw MigrationFailure.source(error, sourcePlace.url) }
  }

  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw MigrationFailure.destination(error, place.url) }
  }
}
