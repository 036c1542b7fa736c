#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Names that reach SQL", .needsServer)
  struct BadNameTests {
    private static let names = [
      "select", "User", "user", "a b", "a\"b", "a'b", "a\\b", "a$1", "a%b", "x\"; DROP TABLE \"Victim\"; --", "ünï",
      "数据",
      "_pk", "_ent", "_opt", "_store", "_change", "ctid", "oid", "tableoid", String(repeating: "n", count: 63),
      String(repeating: "n", count: 64), String(repeating: "n", count: 100) + "a",
      String(repeating: "n", count: 100) + "b",
      String(repeating: "語", count: 40),
    ]

    /// Entities, attributes and relationships with such names: they are refused with an error, or work.
    @Test(arguments: names) func ofEntitiesAndProperties(name: String) throws {
      let victim = BatchModels.entity("Victim", [BatchModels.attribute("tag", .stringAttributeType)])
      let entity = BatchModels.entity(
        name,
        [BatchModels.attribute(name, .stringAttributeType), BatchModels.attribute("other", .integer32AttributeType)])
      BatchModels.relate(entity, "victims" + name, max: 0, victim, "owner" + name, max: 1)
      BatchModels.relate(entity, "many" + name, max: 0, victim, "back" + name, max: 0)
      let world: BatchWorld
      do { world = try BatchWorld(BatchModels.model([victim, entity])) } catch {
        return checkFailure(error, name)
      }
      try world.inContext { context in
        let one = context.make("Victim", ["tag": "one"])
        let object = context.make(name, [name: "value", "other": 1, "victims" + name: NSSet(object: one)])
        object.setValue(NSSet(object: one), forKey: "many" + name)
        try context.save()
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
        request.predicate = NSComparisonPredicate(
          leftExpression: NSExpression(forKeyPath: name), rightExpression: NSExpression(forConstantValue: "value"),
          modifier: .direct, type: .equalTo)
        let found = try context.fetch(request)
        #expect(found.map { $0.value(forKey: name) as? String } == ["value"])
        #expect((found.first?.value(forKey: "victims" + name) as? NSSet)?.count == 1)
        #expect((found.first?.value(forKey: "many" + name) as? NSSet)?.count == 1)
        #expect(try context.insertBatch(name, [[name: "second", "other": 2]]) == 1)
        found.first?.setValue("changed", forKey: name)
        try context.save()
        context.delete(try #require(found.first))
        try context.save()
        #expect(try context.all("Victim").count == 1)
        #expect(try context.all(name).map { $0.value(forKey: name) as? String } == ["second"])
      }
    }

    @Test(arguments: [
      "a b", "a\"b", "s\"; DROP SCHEMA public CASCADE; --", "a'b", "a\\b", "Über", "a=b,c", "$1", "pg$x",
      "-c work_mem=1",
    ])
    func ofSchemas(name: String) throws {
      let server = try PostgreSQLServer.shared.get()
      let schema = "\(name)\(UUID().uuidString.prefix(6))"
      let world = try BatchWorld(BatchModels.graph(), at: server.url(), options: [NSPostgreSQLSchemaOption: schema])
      try world.inContext { context in
        context.make("Node", ["tag": "one"])
        try context.save()
      }
      #expect(try world.texts("SELECT current_schema()::text") == [schema])
      let again = try BatchWorld(BatchModels.graph(), at: server.url(), options: [NSPostgreSQLSchemaOption: schema])
      #expect(try again.inContext { try $0.all("Node").count } == 1)
      #expect(try again.texts("SELECT nspname::text FROM pg_namespace WHERE nspname = 'public'") == ["public"])
    }

    @Test(arguments: ["", "$user", "a\0b", String(repeating: "s", count: 64), "pg_mine"]) func noSchemas(name: String)
      throws
    {
      let server = try PostgreSQLServer.shared.get()
      let error = #expect(throws: NSError.self) {
        try BatchWorld(BatchModels.graph(), at: server.url(), options: [NSPostgreSQLSchemaOption: name])
      }
      #expect(error?.domain == NSCocoaErrorDomain, "\(String(describing: error))")
    }

    @Test(arguments: [
      "postgresql://tests@%00/postgres", "postgresql://tests@host:99999/postgres", "postgresql://tests@host:a/postgres",
      "postgresql://", "postgresql://tests@/postgres?host=/no/such/place'%3B--", "postgresql://a:b@c@d/e?x=y",
      "postgresql:///x?options=-c%20search_path%3Dpublic&host=/no/such", "postgresql:///x?passwrd=secret",
      "mysql://host/db",
    ])
    func hostileURLs(text: String) throws {
      guard let url = URL(string: text) else { return }
      let error = #expect(throws: NSError.self) {
        try BatchWorld(BatchModels.graph(), at: url, options: [NSPersistentStoreTimeoutOption: 2])
      }
      #expect(error?.domain == NSCocoaErrorDomain, "\(String(describing: error))")
      #expect(error?.localizedDescription.contains("secret") == false)
    }
  }
#endif
