#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// A store of a model, in a server or in a file.
  final class BatchWorld: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let url: URL
    /// A context that lives as long, and whose objects are in the store's cache.
    let context: NSManagedObjectContext

    /// - Parameter place: where another one has its store already, or goes another way to the server; nil for a new place.
    init(
      _ model: NSManagedObjectModel, isServer: Bool = true, at place: URL? = nil, options: [String: Any] = [:]
    ) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      url =
        isServer
        ? try place ?? TestPlace.new()
        : FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
      try coordinator.addPersistentStore(
        ofType: isServer ? NSPostgreSQLStoreType : NSSQLiteStoreType, configurationName: nil, at: url,
        options: options)
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
    }

    func inContext<Result>(
      _ policy: Any? = nil, _ body: (NSManagedObjectContext) throws -> Result
    ) rethrows -> Result {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      if let policy { context.mergePolicy = policy }
      return try context.performAndWait { try body(context) }
    }

    var store: ServerStore {
      get throws { try #require(coordinator.persistentStores.first as? ServerStore) }
    }

    /// The texts of the first column of a statement, asked for in the store's schema.
    func texts(_ statement: String) throws -> [String] {
      try store.withWriter { try $0.texts(statement) }
    }

    /// What a body gives, and what it sends for writing: how many flights, copies among them, and what statements.
    func sending<Result>(
      _ body: () throws -> Result
    ) throws -> (result: Result, flights: Int, statements: [String]) {
      let seen = SeenStatements()
      try observeWriters(seen)
      let result = try body()
      try observeWriters(nil)
      return (result, seen.flights, seen.texts)
    }

    /// Of as many connections as the store may have, so that one is awaited that announces what was saved before: it would be the
    /// next to be taken, without the observer.
    private func observeWriters(_ observer: SeenStatements?) throws {
      let store = try store
      var taken: [ServerConnection] = []
      defer { for connection in taken { store.writers.give(connection) } }
      for _ in 0..<store.serverOptions.connectionLimit {
        let connection = try store.takeWriter()
        connection.observer = observer
        taken.append(connection)
      }
    }

    /// All objects as texts, with what they are related to by its tag, as a context of its own has them.
    func contents() throws -> [String] { try inContext { try Self.contents($0) } }

    /// As the lasting context has them, read again.
    func cachedContents() throws -> [String] {
      try context.performAndWait {
        context.refreshAllObjects()
        return try Self.contents(context)
      }
    }

    private static func contents(_ context: NSManagedObjectContext) throws -> [String] {
      let model = context.persistentStoreCoordinator!.managedObjectModel
      return try model.entities.filter { $0.superentity == nil }.flatMap { entity in
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        return try context.fetch(request).map(text).sorted()
      }
    }

    private static func text(_ object: NSManagedObject) -> String {
      let values = object.entity.propertiesByName.sorted { $0.key < $1.key }.map { name, property in
        let value = object.value(forKey: name)
        let text =
          switch value {
          case nil: "nil"
          case let set as NSSet: "\(set.map(tag).sorted())"
          case let set as NSOrderedSet: "\(set.array.map(tag))"
          case let other as NSManagedObject: tag(other)
          case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
          case let data as Data: data.base64EncodedString()
          case let elements as [String: Any]: "\(elements.map { "\($0.key)=\($0.value)" }.sorted())"
          case let array as NSArray: array.map { "\($0)" }.joined(separator: ",")
          case let value?: "\(value)"
          }
        return "\(name) \(text)"
      }
      return "\(object.entity.name!): \(values.joined(separator: ", "))"
    }

    private static func tag(_ object: Any) -> String {
      ((object as? NSManagedObject)?.value(forKey: "tag") as? String) ?? "?"
    }
  }

  /// The statements of connections, but for what begins and ends transactions and what is done beside contexts' work; and the
  /// flights that have any.
  private final class SeenStatements: FlightObserver, @unchecked Sendable {  // `lock` guards what changes
    private let lock = NSLock()
    private var seen: [String] = []
    private var count = 0

    var texts: [String] { lock.withLock { seen } }
    var flights: Int { lock.withLock { count } }

    func begin(_ flight: Flight) -> (any FlightObservation)? {
      var texts: [String] = []
      for case .statement(let request) in flight.steps where request.statement.isWork {
        texts.append(request.statement.text)
      }
      lock.withLock {
        seen += texts
        if !texts.isEmpty { count += 1 }
      }
      return nil
    }
  }

  extension NSManagedObjectContext {
    func insertBatch(_ entity: String, _ rows: [[String: Any]]) throws -> Int? {
      let request = NSBatchInsertRequest(entityName: entity, objects: rows)
      request.resultType = .count
      return (try execute(request) as? NSBatchInsertResult)?.result as? Int
    }

    func updateBatch(_ entity: String, _ format: String?, _ values: [String: Any]) throws -> Int? {
      let request = NSBatchUpdateRequest(entityName: entity)
      request.predicate = format.map { NSPredicate(format: $0) }
      request.propertiesToUpdate = values
      request.resultType = .updatedObjectsCountResultType
      return (try execute(request) as? NSBatchUpdateResult)?.result as? Int
    }

    func deleteBatch(_ entity: String, _ format: String? = nil) throws -> Int? {
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
      fetch.predicate = format.map { NSPredicate(format: $0) }
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      return (try execute(request) as? NSBatchDeleteResult)?.result as? Int
    }

    @discardableResult
    func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
      for (key, value) in values { object.setValue(value is NSNull ? nil : value, forKey: key) }
      return object
    }

    func all(_ entity: String, _ format: String? = nil) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = format.map { NSPredicate(format: $0) }
      return try fetch(request)
    }
  }
#endif
