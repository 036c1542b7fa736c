#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Tables that are not as the model says", .needsServer)
  struct DamagedTableTests {
    /// Said when the store is made, before anything of it is there.
    @Test func moreColumnsThanATableCanHave() throws {
      let attributes = (0..<1_650).map { BatchModels.attribute("a\($0)", .integer16AttributeType) }
      let place = try TestPlace.new()
      let error = #expect(throws: NSError.self) {
        try BatchWorld(BatchModels.model([BatchModels.entity("Wide", attributes)]), at: place)
      }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(error?.localizedDescription.contains("1600") == true)
      let fitting = BatchModels.model([BatchModels.entity("Wide", Array(attributes.prefix(1_597)))])
      let world = try BatchWorld(fitting, at: place)
      try world.inContext { context in
        context.make("Wide", ["a0": 1, "a1596": 2])
        try context.save()
        context.reset()
        #expect(try context.all("Wide", "a1596 == 2").first?.value(forKey: "a0") as? Int == 1)
      }
    }

    private static let changes = [
      ("age", "bigint USING age::bigint"), ("age", "text USING age::text"), ("tag", "bytea USING tag::bytea"),
      ("tag", "integer USING 5"), ("age", "double precision USING age::double precision"),
      ("age", "boolean USING true"),
    ]

    /// Somebody has changed a column's type beside the framework: requests throw, and name it; then it is changed back.
    @Test(arguments: changes) func aColumnOfAnotherType(column: String, type: String) throws {
      let world = try BatchWorld(BatchModels.graph())
      try world.inContext { context in
        context.make("Node", ["tag": "7", "age": 7])
        context.make("Leaf", ["tag": "8", "age": 8])
        try context.save()
      }
      try world.store.noteLostConnection()
      let other = try BareConnection(world.url)
      try other.run("ALTER TABLE \"Node\" ALTER \(column) TYPE \(type)")
      world.inContext { context in
        let error = #expect(throws: NSError.self) { _ = try context.all("Node") }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("column \(column) of the table Node") == true)
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Node")
        fetch.resultType = .dictionaryResultType
        fetch.propertiesToFetch = ["tag", "age"]
        do { #expect(try context.fetch(fetch).count == 2) } catch { checkFailure(error, "dictionaries") }
        context.make("Node", ["tag": "9", "age": 9])
        do { try context.save() } catch { checkFailure(error, "a save") }
        context.rollback()
      }
      let back = column == "age" ? "smallint USING 7" : "text COLLATE \"C\" USING '7'"
      try other.run("ALTER TABLE \"Node\" ALTER \(column) TYPE \(back)")
      // A statement that was prepared for the other type is told so, and prepared anew the next time.
      _ = try? world.inContext { try $0.all("Node") }
      #expect(try world.inContext { try $0.all("Node").count } >= 2)
    }

    /// A row of an entity that the model has not is no object of it.
    @Test func aRowOfAnUnknownEntity() throws {
      let world = try BatchWorld(BatchModels.graph())
      try world.inContext { context in
        context.make("Node", ["tag": "one"])
        context.make("Box", ["tag": "box"])
        try context.save()
      }
      try world.store.noteLostConnection()
      let other = try BareConnection(world.url)
      try other.run(
        "INSERT INTO \"Node\"(_pk, _ent, _opt, tag) VALUES (999999, 4711, 1, 'strange')",
        "UPDATE \"Box\" SET _ent = 4711")
      try world.inContext { context in
        for entity in ["Node", "Box", "Leaf"] {
          do {
            let tags = try context.all(entity).map { $0.value(forKey: "tag") as? String }
            #expect(Set(tags).isSubset(of: ["one", "box", "strange"]))
          } catch { checkFailure(error, entity) }
        }
        context.make("Node", ["tag": "two"])
        try context.save()
      }
    }
  }
#endif
