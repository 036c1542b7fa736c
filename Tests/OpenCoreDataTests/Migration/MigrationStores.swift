import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// Two places in a folder of its own, and a manager between two models.
struct MigrationStores {
  let folder: URL
  let source: URL
  let destination: URL
  let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)

  init(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws {
    folder = try MigrationFixture.temporaryFolder()
    self.source = folder.appendingPathComponent("Old.sqlite")
    self.destination = folder.appendingPathComponent("New.sqlite")
    models = (source, destination)
  }

  /// Makes the old store.
  func fill(_ type: String = NSSQLiteStoreType, _ body: (NSManagedObjectContext) throws -> Void) throws {
    try Self.open(source, models.source, type) { context in
      try body(context)
      try context.save()
    }
  }

  /// Works with a store that is closed again after it.
  static func open<Result>(
    _ url: URL, _ model: NSManagedObjectModel, _ type: String = NSSQLiteStoreType,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    defer { try? coordinator.remove(store) }
    let context = TestModel.context(coordinator)
    return try context.performAndWait { try body(context) }
  }

  func manager() -> NSMigrationManager {
    NSMigrationManager(sourceModel: models.source, destinationModel: models.destination)
  }

  func inferred() throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(forSourceModel: models.source, destinationModel: models.destination)
  }

  func migrate(
    _ mapping: NSMappingModel, by manager: NSMigrationManager? = nil, from: NSPersistentStore.StoreType = .sqlite,
    to: NSPersistentStore.StoreType = .sqlite
  ) throws {
    try (manager ?? self.manager()).migrateStore(from: source, type: from, mapping: mapping, to: destination, type: to)
  }

  /// Works with the new store.
  func result<Result>(
    _ type: String = NSSQLiteStoreType, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try Self.open(destination, models.destination, type, body)
  }

  /// The names of the files but for those of the old store.
  func newFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.contains("Old") }.sorted()
  }
}

extension NSManagedObject {
  func texts(_ key: String, _ inner: String) -> [String] {
    switch value(forKey: key) {
    case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.text(inner) }
    case let set as NSSet: set.compactMap { ($0 as? NSManagedObject)?.text(inner) }.sorted()
    case let object as NSManagedObject: [object.text(inner)].compactMap { $0 }
    default: []
    }
  }
}
