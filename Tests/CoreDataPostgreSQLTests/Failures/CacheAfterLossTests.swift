#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// What the row cache has after connections were lost, or the server has crashed.
  @Suite("The row cache after losses", .needsServer)
  struct CacheAfterLossTests {
    private func age(of id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Int? {
      try context.performAndWait {
        context.refreshAllObjects()
        return try context.existingObject(with: id).value(forKey: "age") as? Int
      }
    }

    /// The connection is lost behind COMMIT. Whoever has saved finds what it has saved, also before it fetches.
    @Test func whatASaveHasReplacedIsNotFoundAfterIt() throws {
      let world = try ProxiedWorld(BatchModels.graph()), context = world.store.context, proxy = world.proxy
      let node = try context.performAndWait {
        let node = context.make("Node", ["tag": "one", "age": 0])
        try context.save()
        return node.objectID
      }
      func save(_ age: Int) throws {
        try context.performAndWait {
          try context.existingObject(with: node).setValue(age, forKey: "age")
          try context.save()
        }
      }
      for age in 1...3 {
        proxy.resetCounts()
        try save(age)
      }
      proxy.cut(after: proxy.count(of: .client), of: .client)
      try save(4)
      #expect(proxy.cutCount == 1)
      #expect(try age(of: node, in: context) == 4)
    }

    /// After a crash the server gives numbers of transactions again which had left no trace on its disk. What they change is
    /// told from what the earlier ones did.
    @Test func aCrashIsNoticedThoughNumbersOfTransactionsComeAgain() throws {
      let server = try PostgreSQLServer(settings: ["wal_writer_delay": "10000ms", "autovacuum": "off"])
      let world = try BatchWorld(BatchModels.graph(), at: server.url())
      _ = try world.store.attendant.stop()
      let other = try BatchWorld(BatchModels.graph(), at: server.url())
      let node = try world.context.performAndWait {
        let node = world.context.make("Node", ["tag": "one", "age": 0])
        try world.context.save()
        return node.objectID
      }
      let number = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int8"
      var last: Int64 = 0, next: Int64 = 0, attempts = 0
      repeat {
        let connection = try ServerConnection(ServerPlace(server.url()))
        for _ in 0..<50 {
          try connection.run("BEGIN")
          try connection.run("UPDATE \"Node\" SET age = 77")
          try connection.run("ROLLBACK")
        }
        // The cache knows a state beyond these.
        #expect(try ages(world) == [0])
        last = try connection.number(number)
        try server.stop(immediate: true)
        try server.start()
        next = try ServerConnection(ServerPlace(server.url())).number(number)
        attempts += 1
        // On a busy machine the server may have come to writing its log before it crashed: no number comes again then.
      } while next >= last && attempts < 50
      try #require(next <= last, "no number has come again")
      func save(_ body: (NSManagedObjectContext) throws -> Void) throws {
        try other.inContext { context in
          try body(context)
          try context.save()
        }
      }
      try save { try $0.all("Node").first?.setValue(1, forKey: "age") }
      for number in next...last { try save { $0.make("Box", ["tag": "\(number)"]) } }
      // Its first transaction after the crash reads no node.
      #expect(try world.inContext { try $0.all("Box").count } == Int(last - next) + 1)
      #expect(try age(of: node, in: world.context) == 1)
    }

    private func ages(_ world: BatchWorld) throws -> [Int] {
      try world.inContext { try $0.all("Node").map { $0.value(forKey: "age") as? Int ?? -1 } }
    }

    /// A state from before the one that was there when it was asked for is that of another server.
    @Test func aStateThatGoesBackIsAnotherHistory() throws {
      let store = try HistoryProgram(try TestPlace.new(), nil).store
      let freshness = ServerFreshness(store.model, relationID: store.relationID)
      func read(_ text: String) throws -> UInt64? {
        let snapshot = try #require(TransactionSnapshot(text))
        let answer = DeltaQuery.Answer(state: .snapshot(snapshot), schemaVersion: 1, changes: .rows([]))
        return freshness.begin(answer, to: freshness.ask(), attemptsLeft: 1, in: store)
      }
      let first = try #require(try read("20:20:"))
      #expect(try read("21:21:") == first)
      #expect(try read("19:19:") == nil)
      #expect(try #require(try read("19:19:")) > first)
    }
  }
#endif
