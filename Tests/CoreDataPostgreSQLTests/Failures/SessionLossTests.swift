#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  /// Sessions that end, and servers that stop, while a context is in use.
  @Suite("Lost sessions", .needsServer, .serialized)
  struct SessionLossTests {
    private static var options: [String: Any] { [NSPersistentStoreTimeoutOption: Patience.seconds] }

    private func world(_ server: PostgreSQLServer, _ options: [String: Any] = options) throws -> BatchWorld {
      let world = try BatchWorld(BatchModels.graph(), at: server.url(), options: options)
      try world.context.performAndWait {
        world.context.make("Node", ["tag": "one", "age": 0])
        try world.context.save()
      }
      return world
    }

    private func countUp(_ world: BatchWorld) throws {
      try world.context.performAndWait {
        let node = try #require(try world.context.all("Node").first)
        node.setValue((node.value(forKey: "age") as? Int ?? -1) + 1, forKey: "age")
        try world.context.save()
      }
    }

    /// Counts up while a server recovers. A store waits five seconds for it; on a busy machine the server may take longer. What failed
    /// then is done again when the server is there.
    private func countUp(_ world: BatchWorld, whileRecovering server: PostgreSQLServer) throws {
      let start = ContinuousClock.now
      do { try countUp(world) } catch let error as NSError
        where error.code == NSPersistentStoreOperationError && .now - start >= .seconds(5)
      {
        checkFailure(error, "a save beside a recovery")
        world.context.performAndWait { world.context.rollback() }
        Patience.wait(for: "the server") { (try? age(server)) != nil }
        try countUp(world)
      }
    }

    private func age(_ server: PostgreSQLServer) throws -> [String] {
      try server.values(of: "SELECT age FROM \"Node\"")
    }

    private static func sessions(_ server: PostgreSQLServer) throws -> [Int32] {
      try server.values(
        of: "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
      ).compactMap { Int32($0) }
    }

    /// An administrator ends all sessions: contexts do not notice.
    @Test func allSessionsAreEnded() throws {
      let server = try PostgreSQLServer(), world = try world(server)
      for number in 1...5 {
        _ = try server.values(
          of: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND "
            + "backend_type = 'client backend'")
        try countUp(world)
        #expect(try age(server) == ["\(number)"])
      }
    }

    /// A process of the server's is killed: it ends all sessions and recovers, and whoever saves meanwhile waits.
    @Test func aProcessOfTheServerIsKilled() throws {
      let server = try PostgreSQLServer(), world = try world(server)
      for number in 1...3 {
        let process = try #require(try Self.sessions(server).first)
        try server.kill(process)
        try countUp(world, whileRecovering: server)
        var age: [String]?
        Patience.wait(for: "the server") {
          age = try? self.age(server)
          return age != nil
        }
        #expect(age == ["\(number)"])
      }
    }

    /// The server stops as if the power had failed. The context keeps what it has not saved, and saves it when the server is
    /// there again.
    @Test func theServerIsStopped() throws {
      let server = try PostgreSQLServer()
      let world = try world(server, [NSPersistentStoreTimeoutOption: 5]), context = world.context
      try server.stop(immediate: true)
      let error = context.performAndWait { #expect(throws: NSError.self) { try context.all("Node") } }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreOperationError)
      context.performAndWait {
        context.make("Node", ["tag": "two", "age": 2])
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSPersistentStoreOperationError)
        #expect(error?.userInfo[NSPostgreSQLSaveIsInDoubtKey] == nil, "nothing was sent")
        #expect(context.insertedObjects.count == 1)
      }
      try server.start()
      try context.performAndWait { try context.save() }
      #expect(try server.values(of: "SELECT tag FROM \"Node\" ORDER BY tag") == ["one", "two"])
    }

    /// It stops and starts again and again while a context works: each save is made once.
    @Test func theServerIsStoppedAndStartedDuringWork() throws {
      let server = try PostgreSQLServer(), world = try world(server, [NSPersistentStoreTimeoutOption: Patience.seconds])
      let isDone = Atomic(false), saved = Atomic(0)
      Thread.detachNewThread {
        defer { isDone.store(true, ordering: .releasing) }
        do {
          for _ in 0..<3 {
            // There is a save before each stop.
            let before = saved.load(ordering: .acquiring)
            Patience.wait(for: "a save") { saved.load(ordering: .acquiring) > before }
            try server.stop(immediate: true)
            try server.start()
          }
        } catch { Issue.record(error) }
      }
      while !isDone.load(ordering: .acquiring) {
        do {
          try countUp(world)
          saved.add(1, ordering: .releasing)
        } catch {
          checkFailure(error, "a save beside a stop")
          world.context.performAndWait { world.context.rollback() }
        }
      }
      try countUp(world)
      #expect(try age(server) == ["\(saved.load(ordering: .acquiring) + 1)"])
    }

    /// Others have all the connections that the server takes. When one of them goes, the context goes on.
    @Test func thereAreTooManyConnections() throws {
      let server = try PostgreSQLServer(settings: ["max_connections": "8", "autovacuum": "off"])
      let world = try world(server, [NSPersistentStoreTimeoutOption: 5])
      _ = try world.store.attendant.stop()
      for pool in try [world.store.readers, world.store.writers] { pool.close() }
      let opened = try BatchWorld(BatchModels.graph(), at: server.url(), options: [NSPersistentStoreTimeoutOption: 5])
      _ = try opened.store.attendant.stop()
      var others: [ServerConnection] = []
      while others.count < 20, let other = try? ServerConnection(ServerPlace(server.url())) { others.append(other) }
      #expect((1..<20).contains(others.count))
      let error = #expect(throws: NSError.self) { try opened.inContext { try $0.all("Node") } }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.localizedDescription.contains("takes no connections now") == true, "\(String(describing: error))")
      let opening = #expect(throws: NSError.self) { try BatchWorld(BatchModels.graph(), at: server.url()) }
      #expect(opening?.code == NSPersistentStoreTimeoutError)
      let rest = 8 - others.count
      others = []
      // The server notices the ends of the sessions one after the other.
      Patience.wait(for: "the end of the sessions") { (try? Self.sessions(server).count <= rest) == true }
      #expect(try opened.inContext { try $0.all("Node").count } == 1)
      try countUp(opened)
    }
  }
#endif
