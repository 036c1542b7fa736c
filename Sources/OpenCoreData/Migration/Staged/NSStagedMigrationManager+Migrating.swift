import Foundation
import OpenCocoaFoundation

extension NSStagedMigrationManager {
  /// Migrates the store at a place from one model to another by what can be inferred.
  typealias LightweightStep = (
    _ store: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws -> Void

  /// Brings a store, which nobody has open here, to a version by way of the stages.
  ///
  /// A store that was left between a step and the end of its `didMigrateHandler` gets that handler called again first: the
  /// store's metadata tell that it is due.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - configuration: The configuration of the models that the store has.
  ///   - destinationModel: The version to get to.
  ///   - model: Finds the model of a version that no custom stage refers to, by its checksum.
  ///   - lightweight: Does a lightweight step.
  /// - Throws: 134504 for a version that no stage has or whose model is not there, 134506 for an older one than the store's,
  ///   134110 with what a handler throws, and what the steps throw. The store has one of the versions then.
  final func migrate(
    _ place: MigrationPlace, configuration: String? = nil, to destinationModel: NSManagedObjectModel,
    model: (String) -> NSManagedObjectModel? = { _ in nil }, lightweight: LightweightStep
  ) throws {
    let checksums = StoreChecksum.candidates(try place.metadata())
    let plan = try StagePlan(stages, from: checksums, to: destinationModel.versionChecksum)
    let run = StageRun(self, place, configuration)
    if let stage = Self.unfinishedStage(stages, try place.metadata()) { try run.finish(stage) }
    func find(_ checksum: String) throws -> NSManagedObjectModel {
      if checksum == destinationModel.versionChecksum { return destinationModel }
      return try self.reference(checksum)?.resolve() ?? model(checksum) ?? Self.missing(checksum)
    }
    for step in plan.steps {
      switch step {
      case .lightweight(let from, let to): try lightweight(place.url, find(from), find(to))
      case .custom(let stage): try run.migrate(stage, lightweight)
      }
    }
  }

  /// The stage whose `didMigrateHandler` is still to be called for a store, which is in its next version already; nil
  /// mostly. Such a store is to be migrated even if its version is the wanted one.
  static func unfinishedStage(_ stages: [NSMigrationStage], _ metadata: [String: Any]) -> NSCustomMigrationStage? {
    guard let due = metadata[StageRun.dueKey] as? String, StoreChecksum.candidates(metadata).contains(due) else {
      return nil
    }
    return stages.lazy.compactMap { $0 as? NSCustomMigrationStage }
      .first { $0.nextModel.versionChecksum == due && $0.didMigrateHandler != nil }
  }

  private final func reference(_ checksum: String) -> NSManagedObjectModelReference? {
    stages.lazy.compactMap { $0 as? NSCustomMigrationStage }.flatMap { [$0.currentModel, $0.nextModel] }
      .first { $0.versionChecksum == checksum }
  }

  private static func missing(_ checksum: String) throws -> NSManagedObjectModel {
    throw NSError(
      coreData: NSManagedObjectModelReferenceNotFoundError,
      "There is no model with the version checksum \(checksum), where a lightweight step of the staged migration begins."
    )
  }
}

/// The custom stages of one migration.
struct StageRun {
  /// In a store's metadata: the checksum of the version whose `didMigrateHandler` has not ended yet.
  static let dueKey = "OpenCoreDataUnfinishedMigrationStage"

  private let manager: NSStagedMigrationManager
  private let place: MigrationPlace
  private let configuration: String?

  init(_ manager: NSStagedMigrationManager, _ place: MigrationPlace, _ configuration: String?) {
    (self.manager, self.place, self.configuration) = (manager, place, configuration)
  }

  func migrate(
    _ stage: NSCustomMigrationStage, _ lightweight: NSStagedMigrationManager.LightweightStep
  ) throws {
    let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
    try call(stage.willMigrateHandler, stage, "willMigrateHandler", current)
    // From the step on, the version alone would say that all is done.
    if stage.didMigrateHandler != nil { try setDue(stage.nextModel.versionChecksum) }
    try lightweight(place.url, current, next)
    try finish(stage)
  }

  /// Calls what is to be called after the step.
  func finish(_ stage: NSCustomMigrationStage) throws {
    guard stage.didMigrateHandler != nil else { return }
    try call(stage.didMigrateHandler, stage, "didMigrateHandler", stage.nextModel.resolve())
    try setDue(nil)
  }

  private func call(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?, _ stage: NSCustomMigrationStage,
    _ name: String, _ model: NSManagedObjectModel
  ) throws {
    guard let handler else { return }
    let container = try container(model)
    manager.container = container
    defer {
      manager.container = nil
      let coordinator = container.persistentStoreCoordinator
      // They are the coordinator's.
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
    do {
      try handler(manager, stage)
    } catch {
      throw NSError(
        coreData: NSMigrationError,
        "The \(name) of the migration stage “\(stage.name)” has failed: \(error.localizedDescription)",
        [NSUnderlyingErrorKey: error as NSError, "stage": stage.name])
    }
  }

  /// A container that has the store open, which is in the version of the model.
  private func container(_ model: NSManagedObjectModel) throws -> NSPersistentContainer {
    let name = place.url.deletingPathExtension().lastPathComponent
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: place.url)
    description.type = place.type
    description.configuration = configuration
    for case (let key as String, let value) in place.options ?? [:] {
      description.setOption(value as AnyObject as? NSObject, forKey: key)
    }
    for key in MigrationPlace.automaticOptions { description.setOption(nil, forKey: key) }
    // Descriptions may have them on by themselves.
    for key in MigrationPlace.automaticOptions.prefix(2) { description.setOption(NSNumber(value: false), forKey: key) }
    description.setOption(nil, forKey: NSReadOnlyPersistentStoreOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 ?? failure }
    if let failure { throw failure }
    return container
  }

  private func setDue(_ checksum: String?) throws {
    var metadata = try place.metadata()
    metadata[Self.dueKey] = checksum
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: place.type, at: place.url, options: place.options)
  }
}

extension MigrationPlace {
  /// What the store says about itself.
  func metadata() throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: options)
  }
}
