import Foundation
import OpenCocoaFoundation

extension NSStagedMigrationManager {
  /// Migrates the store at a place from one model to another by an inferred mapping.
  typealias LightweightStep = (
    _ store: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws -> Void

  /// Migrates a store to a version by the stages. The store must not be open in this process.
  ///
  /// If a migration of the store has ended between a step and the end of its `didMigrateHandler`, that handler is
  /// called again first: the store's metadata tell that it is due.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - configuration: The configuration of the models that the store has.
  ///   - destinationModel: The version to migrate to.
  ///   - model: Finds the model of a version that no custom stage refers to, by its checksum.
  ///   - lightweight: Does a lightweight step.
  /// - Throws: 134504 for a version that no stage has or whose model is not found, 134506 for a version older than the
  ///   store's, 134110 with the error of a handler, and the errors of the steps. The store then has one of the
  ///   versions.
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

  /// Returns the stage whose `didMigrateHandler` is still to be called for a store that already has the stage's next
  /// version; usually nil. Such a store is to be migrated even if its version is the wanted one.
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
