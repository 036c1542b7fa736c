#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import OpenCoreData

  /// The same objects in a SQLite store and in one on the server, which are migrated alike.
  final class MigratedPair {
    let folder: URL
    let file: URL
    let server: URL
    let old: NSManagedObjectModel

    static var automatic: [AnyHashable: Any] {
      [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// Fills both with what `body` makes.
    init(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Void) throws {
      old = model
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appendingPathComponent("Store.sqlite")
      server = try TestPlace.new()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        try body(context)
        try context.save()
        context.reset()
      }
      let copy = try coordinator.migratePersistentStore(store, to: server, type: .postgreSQL)
      try coordinator.remove(copy)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A model of the elements of a source model.
    static func model(_ entities: String) throws -> NSManagedObjectModel {
      let model = NSManagedObjectModel()
      var reader = try SourceModelReader(root: XMLElementTree.parse(Data("<model>\(entities)</model>".utf8)))
      try reader.read(into: model)
      return model
    }

    /// Opens a store by itself.
    static func open<Result>(
      _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = nil,
      _ body: (NSPersistentStoreCoordinator, NSPersistentStore) throws -> Result
    ) throws -> Result {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let type = url.isFileURL ? NSSQLiteStoreType : NSPostgreSQLStoreType
      let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
      defer { try? coordinator.remove(store) }
      return try body(coordinator, store)
    }

    static func inContext<Result>(
      _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait { try body(context) }
    }

    /// The first difference between the two.
    func difference(_ model: NSManagedObjectModel) throws -> String? {
      try Self.difference(file, server, model)
    }

    static func difference(_ one: URL, _ other: URL, _ model: NSManagedObjectModel) throws -> String? {
      try open(one, model) { first, store in
        try open(other, model) { second, copy in
          try StoreComparison(StoreObjectReader(store, first), StoreObjectReader(copy, second)).run()
        }
      }
    }

    /// Migrates both, and compares them.
    func migrate(to model: NSManagedObjectModel) throws -> String? {
      try Self.open(file, model, Self.automatic) { _, _ in }
      try Self.open(server, model, Self.automatic) { _, _ in }
      return try difference(model)
    }
  }
#endif
