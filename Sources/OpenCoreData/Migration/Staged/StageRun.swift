import Foundation
import OpenCocoaFoundation

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
    // After the step, the store's version alone would mean that the stage is done.
    if stage.didMigrateHandler != nil { try setDue(stage.nextModel.versionChecksum) }
    try lightweight(place.url, current, next)
    try finish(stage)
  }

  /// Calls the handler that is due after the step.
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
    let stack = try StageStack(place, configuration, model)
    manager.stack = stack
    defer {
      manager.stack = nil
      stack.close()
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

  private func setDue(_ checksum: String?) throws { try Self.mark(checksum, place.metadata(), at: place) }

  /// Writes the key into a store's metadata, or removes it.
  /// - Parameter metadata: the metadata as they were read. Another program may have migrated the store since then: what the
  ///   framework has in them is left out, and stays as it is in the store.
  static func mark(_ checksum: String?, _ metadata: [String: Any], at place: MigrationPlace) throws {
    var metadata = metadata.filter { !StoreMetadata.frameworkKeys.contains($0.key) }
    metadata[dueKey] = checksum
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: place.type, at: place.url, options: place.options)
  }
}
