#if PostgreSQL
  import CoreData
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Something fails in the flight of a save after the server has committed it: the question what others have changed, or
  /// reading its answer.
  @Suite("Failures after a commit", .needsServer)
  struct FailureAfterCommitTests {
    enum Work: CaseIterable { case insert, update, delete, batchInsert, batchUpdate, batchDelete }

    /// A store whose session finds no tables any more from the next COMMIT on.
    private func world() throws -> BatchWorld {
      let world = try BatchWorld(BatchModels.graph())
      try world.context.performAndWait {
        for tag in ["one", "two"] { world.context.make("Node", ["tag": tag, "age": 0]) }
        try world.context.save()
      }
      let bare = try BareConnection(world.url)
      try bare.run(
        """
        CREATE FUNCTION lose_tables() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM set_config('search_path', 'pg_catalog', false); RETURN NULL; END $$
        """,
        """
        CREATE CONSTRAINT TRIGGER lose_tables AFTER INSERT ON "_commit" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION lose_tables()
        """)
      return world
    }

    @Test(arguments: Work.allCases) func theWorkIsDone(_ work: Work) throws {
      let world = try world(), context = world.context
      try context.performAndWait {
        let first = try #require(try context.all("Node").first { $0.value(forKey: "tag") as? String == "one" })
        switch work {
        case .insert: context.make("Node", ["tag": "new", "age": 5])
        case .update: first.setValue(5, forKey: "age")
        case .delete: context.delete(first)
        case .batchInsert:
          try context.execute(NSBatchInsertRequest(entityName: "Node", objects: [["tag": "new", "age": 5]]))
        case .batchUpdate:
          let update = NSBatchUpdateRequest(entityName: "Node")
          update.predicate = NSPredicate(format: "tag == 'one'")
          update.propertiesToUpdate = ["age": 5]
          try context.execute(update)
        case .batchDelete:
          let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
          fetch.predicate = NSPredicate(format: "tag == 'one'")
          try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        // A save that has been committed throws nothing, or it would be made again.
        if context.hasChanges { try context.save() }
        #expect(!context.hasChanges)
      }
      let ages = try BareConnection(world.url).connection.texts("SELECT tag || ' ' || age FROM \"Node\" ORDER BY 1")
      switch work {
      case .insert, .batchInsert: #expect(ages == ["new 5", "one 0", "two 0"])
      case .update, .batchUpdate: #expect(ages == ["one 5", "two 0"])
      case .delete, .batchDelete: #expect(ages == ["two 0"])
      }
    }

    @Test func whatNotesACommitIsCalledAfterAnErrorOfAnotherHandler() throws {
      let world = try BatchWorld(BatchModels.graph())
      struct Unreadable: Error {}
      var isCommitted = false
      var flight = Flight()
      flight.add(ServerStatement("BEGIN"))
      flight.add(ServerStatement("SELECT 1")) { _ in throw Unreadable() }
      flight.add(ServerStatement("COMMIT"), role: .commit) { isCommitted = $0.isOfCommit }
      let store = try #require(world.context.persistentStoreCoordinator?.persistentStores.first as? ServerStore)
      #expect(throws: Unreadable.self) { try store.withWriter { try $0.run(flight) } }
      #expect(isCommitted)
      var rolledBack = Flight()
      rolledBack.add(ServerStatement("BEGIN"))
      rolledBack.add(ServerStatement("SELECT 1 / 0"))
      rolledBack.sync()
      rolledBack.add(ServerStatement("COMMIT"), role: .commit) { isCommitted = $0.isOfCommit }
      #expect(throws: ServerError.self) { try store.withWriter { try $0.run(rolledBack) } }
      #expect(!isCommitted)
    }
  }
#endif
