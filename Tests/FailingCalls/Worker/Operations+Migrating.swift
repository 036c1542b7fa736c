import CoreData
import Foundation
import OpenCoreData

/// Writes a note into every object, so that a migration without this policy has another result.
final class WorkerPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    for made in manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]) {
      made.setValue("did \(sInstance.value(forKey: "number") ?? "-")", forKey: "note")
    }
  }
}

/// Operations that migrate a store from one version to another.
enum Migrations {
  static var automatic: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
  }

  static func lightweight(_ kind: StoreKind) -> Operation {
    SimpleOperation("migrate-lightweight", kind) { operation in
      try StorePlace.close(try operation.store.open(version: 2, automatic))
    }
  }

  static func mapping() throws -> NSMappingModel {
    NSEntityMigrationPolicy.register(WorkerPolicy.self, forName: "WorkerPolicy")
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: WorkerModel.all[0], destinationModel: WorkerModel.all[1])
    mapping.entityMappingsByName["IEM_Transform_Item"]?.entityMigrationPolicyClassName = "WorkerPolicy"
    return mapping
  }

  /// Makes an operation that migrates a store with a migration manager, to a store at another place.
  static func manager(_ kind: StoreKind) -> Operation {
    SimpleOperation("migrate-manager", kind, others: [("Migrated", nil)]) { operation in
      let destination = operation.place("Migrated")
      let manager = NSMigrationManager(sourceModel: WorkerModel.all[0], destinationModel: WorkerModel.all[1])
      try manager.migrateStore(
        from: operation.store.url, sourceType: kind.type, options: operation.store.options, with: try mapping(),
        toDestinationURL: destination.url, destinationType: kind.type, destinationOptions: destination.options)
    }
  }

  /// Makes an operation that migrates a store with the mapping model that is found when the store is opened.
  static func mapped(_ kind: StoreKind) -> Operation { MappedOperation("migrate-mapped", kind) }

  static func staged(_ kind: StoreKind) -> Operation { StagedOperation("migrate-staged", kind) }
}

/// A migration with a mapping model that is beside the store, so that calls for its file fail, too.
private final class MappedOperation: Operation {
  override func prepare() throws {
    try WorkerModel.fill(store)
    try Migrations.mapping().write(compiledMappingTo: folder.appendingPathComponent("Worker.cdm"))
    try WorkerModel.all[0].write(compiledModelTo: folder.appendingPathComponent("Worker.mom"))
  }

  override func begin() throws {
    NSEntityMigrationPolicy.register(WorkerPolicy.self, forName: "WorkerPolicy")
    RegisteredModels.add(folder.appendingPathComponent("Worker.mom").path)
  }

  override func run(_ environment: [String: String]) throws {
    try StorePlace.close(try store.open(version: 1, Migrations.automatic))
  }
}

private final class StagedOperation: Operation {
  override func prepare() throws { try WorkerModel.fill(store) }

  /// True: a stage that was not completed runs again.
  override var mayRepeat: Bool { true }

  override func run(_ environment: [String: String]) throws { try migrate() }

  /// Migrates the store.
  /// - Parameters:
  ///   - last: the version at which the migration stops.
  ///   - handles: whether the first stage has a handler.
  private func migrate(to last: Int = 2, handles: Bool = true) throws {
    let references = WorkerModel.all.map {
      NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
    }
    let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    if handles {
      stage.didMigrateHandler = { manager, _ in
        guard let context = manager.container?.newBackgroundContext() else { throw CocoaError(.coreData) }
        try context.performAndWait {
          for item in try WorkerModel.items(context) {
            item.setValue("did \(item.value(forKey: "number") ?? "-")", forKey: "note")
          }
          try context.save()
        }
      }
    }
    var stages: [NSMigrationStage] = [stage]
    if last == 2 { stages.append(NSLightweightMigrationStage([WorkerModel.all[2].versionChecksum])) }
    let options = Migrations.automatic.merging([
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages)
    ]) { $1 }
    try StorePlace.close(try store.open(version: last, options))
  }

  override var stages: [() throws -> Void] {
    [{ try self.migrate(to: 1, handles: false) }, { try self.migrate(to: 1) }]
  }
}
