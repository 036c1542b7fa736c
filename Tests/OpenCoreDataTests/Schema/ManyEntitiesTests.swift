import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models of so many entities that the tables of a store are made in another way than those of a few.
struct ManyEntitiesTests {
  /// Entities in a ring, each with members of the next one and many-to-many ones of the one after.
  private static func model(_ count: Int, with more: (Int) -> [String] = { _ in [] }) -> NSManagedObjectModel {
    func relationship(_ name: String, _ isToMany: Bool) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.maxCount, relationship.isOptional) = (name, isToMany ? 0 : 1, true)
      return relationship
    }
    func pair(
      _ one: NSEntityDescription, _ name: NSRelationshipDescription, _ other: NSEntityDescription,
      _ inverse: NSRelationshipDescription
    ) {
      (name.destinationEntity, inverse.destinationEntity) = (other, one)
      (name.inverseRelationship, inverse.inverseRelationship) = (inverse, name)
      one.properties.append(name)
      other.properties.append(inverse)
    }
    let entities = (0..<count).map { number in
      let entity = NSEntityDescription()
      entity.name = "Entity\(number)"
      entity.properties = (["name"] + more(number)).map { name in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
        return attribute
      }
      return entity
    }
    for (number, entity) in entities.enumerated() {
      let next = entities[(number + 1) % count], second = entities[(number + 2) % count]
      pair(entity, relationship("members", true), next, relationship("owner", false))
      pair(entity, relationship("all", true), second, relationship("back", true))
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static let master = "SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid"

  /// The file is the one that the statements make when they run one after the other.
  @Test func theSchemaIsThatOfItsStatements() throws {
    let model = Self.model(150)
    let statements = DDL.statements(for: SQLModel(model: model))
    #expect(statements.count > 600)
    let file = try TestModel.temporaryFile("Many.sqlite"), plain = try TestModel.temporaryFile("Plain.sqlite")
    defer { for file in [file, plain] { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) } }
    let coordinator = try TestModel.coordinator(model, url: file)
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    _ = FileManager.default.createFile(atPath: plain.path, contents: nil)
    let (made, wanted) = (try PlainDatabase(file), try PlainDatabase(plain))
    let level = try made.rows("PRAGMA auto_vacuum")[0][0].integer ?? 0
    try wanted.rows("PRAGMA auto_vacuum = \(level)")
    try wanted.rows("VACUUM")
    for statement in statements { try wanted.rows(statement) }
    #expect(try made.rows(Self.master) == wanted.rows(Self.master))
    #expect(try made.rows("PRAGMA integrity_check") == [[.text(Data("ok".utf8))]])
  }

  @Test func objectsAreKeptAndAColumnIsAdded() throws {
    let file = try TestModel.temporaryFile("Many.sqlite")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    var context = try open(Self.model(150))
    try context.performAndWait {
      let owner = context.make("Entity77", ["name": "owner"])
      owner.setValue(NSSet(array: [context.make("Entity78", ["name": "member"])]), forKey: "members")
      owner.setValue(NSSet(array: [context.make("Entity79", ["name": "one of all"])]), forKey: "all")
      try context.save()
    }
    try context.persistentStoreCoordinator.map { try $0.persistentStores.forEach($0.remove) }
    context = try open(Self.model(150) { $0 == 78 ? ["added"] : [] })
    try context.performAndWait {
      let member = try #require(try context.all("Entity78").first)
      let owner = try #require(member.value(forKey: "owner") as? NSManagedObject)
      #expect(owner.text("name") == "owner")
      #expect((owner.value(forKey: "all") as? Set<NSManagedObject>)?.first?.text("name") == "one of all")
      #expect(member.value(forKey: "added") == nil)
      member.setValue("now", forKey: "added")
      try context.save()
    }
    #expect(try PlainDatabase(file).rows("PRAGMA integrity_check") == [[.text(Data("ok".utf8))]])
  }

  /// What SQLite refuses in the middle leaves nothing once the transaction is rolled back, and the schema defended.
  @Test func aStatementThatFailsLeavesNothing() throws {
    let file = try TestModel.temporaryFile("Failing.sqlite")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    let connection = try SQLiteConnection(path: file.path, readOnly: false, create: true, timeout: 1, pragmas: [])
    let statements = (0..<500).map { "CREATE TABLE T\($0) (A INTEGER)" } + ["CREATE TABLE T7 (A INTEGER)"]
    try connection.execute("BEGIN EXCLUSIVE")
    #expect(throws: NSError.self) { try SchemaCreation.run(statements, on: connection) }
    try connection.execute("ROLLBACK")
    #expect(try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0)
    #expect(try connection.integer("PRAGMA writable_schema") == 0)
    try connection.execute("CREATE TABLE T7 (A INTEGER)")
  }

  /// Along a line of inheritance, each entity's row has the columns of all above it.
  @Test func aLongLineOfInheritance() throws {
    let model = NSManagedObjectModel()
    let entities = (0..<60).map { number in
      let entity = NSEntityDescription(), attribute = NSAttributeDescription()
      entity.name = String(format: "Level%03d", number)
      (attribute.name, attribute.attributeType, attribute.isOptional) = (
        "value\(number)", .integer64AttributeType, true
      )
      entity.properties = [attribute]
      return entity
    }
    for (above, below) in zip(entities, entities.dropFirst()) { above.subentities = [below] }
    model.entities = entities
    let schema = SQLModel(model: model)
    #expect(schema.entities.map(\.numbers.count) == (1...60).reversed())
    #expect(schema.entities.map(\.columns.count) == Array(1...60))
    #expect(schema.entities[0].rowLayout.columnNames == (0..<60).map { "ZVALUE\($0)" })
    #expect(schema.entities[30].rowLayout.positions[60] == Array(0..<60))
    #expect(schema.tables.count == 1)
  }
}
