#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// A coordinator and a context as a program of its own has them; several may have one store.
  struct HistoryProgram {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    init(_ url: URL, _ options: [AnyHashable: Any]? = tracking, author: String? = nil) throws {
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: options)
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.transactionAuthor = author
    }

    var store: ServerStore { coordinator.persistentStores[0] as! ServerStore }
    var token: NSPersistentHistoryToken? { coordinator.currentPersistentHistoryToken(fromStores: nil) }

    @discardableResult
    func save(_ text: String) throws -> NSManagedObjectID {
      try context.performAndWait {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(text, forKey: "text")
        try context.save()
        return note.objectID
      }
    }

    func change(_ id: NSManagedObjectID, to text: String) throws {
      try context.performAndWait {
        try context.existingObject(with: id).setValue(text, forKey: "text")
        try context.save()
      }
    }

    /// Of the row cache, if that has it still after a transaction has begun.
    func text(of id: NSManagedObjectID) -> String? {
      context.performAndWait {
        _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        let object = context.object(with: id)
        context.refresh(object, mergeChanges: false)
        return object.value(forKey: "text") as? String
      }
    }

    func execute(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
      try context.performAndWait { (try context.execute(request) as? NSPersistentHistoryResult)?.result }
    }

    func history(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
      try execute(request) as? [NSPersistentHistoryTransaction] ?? []
    }

    func history(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
      try history(.fetchHistory(after: token))
    }

    func all() throws -> [NSPersistentHistoryTransaction] { try history(.fetchHistory(after: .distantPast)) }

    // MARK: The model

    static let types: [(name: String, type: NSAttributeType)] = [
      ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
      ("flag", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
      ("decimal", .decimalAttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
      ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
      ("list", .transformableAttributeType),
    ]

    static func model() -> NSManagedObjectModel {
      let note = entity("Note", [("text", .stringAttributeType), ("number", .integer32AttributeType)], kept: false)
      let thing = entity("Thing", types, kept: true)
      let model = NSManagedObjectModel()
      model.entities = [note, thing]
      return model
    }

    private static func entity(
      _ name: String, _ attributes: [(name: String, type: NSAttributeType)], kept: Bool
    ) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = attributes.map { name, type in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.preservesValueInHistoryOnDeletion = kept
        return attribute
      }
      return entity
    }
  }

  /// A connection to a store beside it.
  final class BareConnection {
    let connection: ServerConnection

    init(_ url: URL) throws {
      connection = try ServerConnection(ServerPlace(url, schema: ServerPlace.schema(of: url) ?? "public"))
    }

    /// Runs a statement; the first value of each row, which must be a number of 8 bytes.
    @discardableResult
    func numbers(_ text: String) throws -> [Int64] {
      var numbers: [Int64] = []
      var flight = Flight()
      flight.add(ServerStatement(text, isPrepared: false)) { result in
        guard result.columnCount > 0 else { return }
        for row in 0..<result.rowCount { numbers.append(result.int64(row, 0)) }
      }
      try connection.run(flight)
      return numbers
    }

    func run(_ texts: String...) throws { for text in texts { try numbers(text) } }

    /// Writes what a save of another program would, in a transaction that stays open, and gives its number.
    func beginSave(_ author: String, of key: Int64 = 1_000_000) throws -> Int64 {
      try run("BEGIN")
      let entity = "(SELECT number FROM \"_entity\" WHERE name = 'Note')"
      try run(
        "INSERT INTO \"_change\"(n, kind, ent, pk) VALUES (0, 'i', \(entity), \(key))",
        """
        INSERT INTO "_commit"(token, at, author, process, bundle) VALUES (gen_random_uuid(), \
        extract(epoch FROM clock_timestamp()) - 978307200, '\(author)', 'p', 'b')
        """)
      return try numbers("SELECT pg_current_xact_id()")[0]
    }
  }

  /// The code of the error that is thrown.
  func codeOfError(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch {
      return (error as NSError).code
    }
  }
#endif
