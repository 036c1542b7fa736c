#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  /// A server and its standby, both in the store's URL.
  @Suite("Standbys", .needsServer, .serialized)
  struct StandbyTests {
    private static func url(_ servers: PostgreSQLServer...) throws -> URL {
      let hosts = servers.map(\.folder.path).joined(separator: ",")
      return try #require(URL(string: "postgresql://tests@/postgres?host=\(hosts)&target_session_attrs=read-write"))
    }

    private func tags(_ world: BatchWorld) throws -> [String] {
      try world.inContext { try $0.all("Node").map { $0.value(forKey: "tag") as? String ?? "?" }.sorted() }
    }

    private func save(_ tag: String, _ world: BatchWorld) throws {
      try world.context.performAndWait {
        world.context.make("Node", ["tag": tag])
        try world.context.save()
      }
    }

    /// Saves while no server takes writes yet. A store waits five seconds for one; on a busy machine the standby may take longer. An
    /// attempt that began after its promotion succeeds.
    private func save(_ tag: String, _ world: BatchWorld, whilePromoting isPromoted: borrowing Mutex<Bool>) throws {
      try world.context.performAndWait {
        world.context.make("Node", ["tag": tag])
        while true {
          let wasPromoted = isPromoted.withLock { $0 }, start = ContinuousClock.now
          do { return try world.context.save() } catch let error as NSError
            where !wasPromoted && error.code == NSPersistentStoreOperationError && .now - start >= .seconds(5)
          {}
        }
      }
    }

    /// Waits until a standby has so many nodes.
    private func waitForNodes(_ count: Int, _ standby: PostgreSQLServer) {
      Patience.wait(for: "\(count) nodes on the standby") {
        (try? standby.values(of: "SELECT count(*) FROM \"Node\"")) == ["\(count)"]
      }
    }

    /// The server waits for the standby's disk in each save. That one lags, and is promoted when the server fails: it has every
    /// save that was acknowledged, and the store goes on there.
    @Test func nothingIsLostWhereALaggingStandbyIsPromoted() throws {
      let server = try PostgreSQLServer(), standby = try PostgreSQLServer(standbyOf: server)
      _ = try server.values(of: "ALTER SYSTEM SET synchronous_standby_names = '*'")
      _ = try server.values(of: "SELECT pg_reload_conf()")
      try Patience.wait(for: "a synchronous standby") {
        try server.values(of: "SELECT sync_state FROM pg_stat_replication") == ["sync"]
      }
      // The checkpointer tells sessions that they must wait for the standby. It reads its settings before it does what is asked of
      // it.
      _ = try server.values(of: "CHECKPOINT")
      let place = try Self.url(standby, server)
      let world = try BatchWorld(
        BatchModels.graph(), at: place, options: [NSPersistentStoreTimeoutOption: Patience.seconds])
      try save("first", world)
      waitForNodes(1, standby)
      _ = try standby.values(of: "SELECT pg_wal_replay_pause()")
      try Patience.wait(for: "the pause") {
        try standby.values(of: "SELECT pg_get_wal_replay_pause_state()") == ["paused"]
      }
      for number in 0..<20 { try save("later\(number)", world) }
      let seen = try standby.values(of: "SELECT count(*) FROM \"Node\"")
      #expect(seen == ["1"], "the standby lags")
      #expect(try tags(world).count == 21)
      try server.stop(immediate: true)
      // Begun while no server takes writes.
      let isPromoted = Mutex(false)
      Thread.detachNewThread {
        usleep(500_000)
        do { try standby.promote() } catch { Issue.record(error) }
        isPromoted.withLock { $0 = true }
      }
      try save("last", world, whilePromoting: isPromoted)
      #expect(try standby.values(of: "SELECT count(*) FROM \"Node\"") == ["22"])
      #expect(try tags(world).count == 22)
      #expect(try standby.values(of: "SELECT count(DISTINCT tag) FROM \"Node\"") == ["22"])
    }

    /// A standby that lacks the last commits, as none waited for it: what the store has cached of them is not there any more.
    @Test func whatAPromotedStandbyLacksIsNotInTheCache() throws {
      let server = try PostgreSQLServer(), standby = try PostgreSQLServer(standbyOf: server)
      let place = try Self.url(server, standby)
      let world = try BatchWorld(
        BatchModels.graph(), at: place, options: [NSPersistentStoreTimeoutOption: Patience.seconds])
      try save("first", world)
      waitForNodes(1, standby)
      try standby.stop()
      let id = try world.context.performAndWait {
        let node = try #require(try world.context.all("Node").first)
        node.setValue("second", forKey: "tag")
        try world.context.save()
        return node.objectID
      }
      try server.stop(immediate: true)
      try standby.start()
      try standby.promote()
      #expect(try tags(world) == ["first"])
      try world.context.performAndWait {
        world.context.refreshAllObjects()
        let tag = try world.context.existingObject(with: id).value(forKey: "tag") as? String
        #expect(tag == "first")
      }
      try save("third", world)
      #expect(try tags(world) == ["first", "third"])
    }

    /// A standby alone takes no saves, and says so.
    @Test func aStandbyTakesNoSaves() throws {
      let server = try PostgreSQLServer(), standby = try PostgreSQLServer(standbyOf: server)
      let world = try BatchWorld(BatchModels.graph(), at: server.url())
      try save("first", world)
      waitForNodes(1, standby)
      let options: [String: Any] = [
        NSReadOnlyPersistentStoreOption: true, NSPersistentStoreTimeoutOption: Patience.seconds,
      ]
      let reading = try BatchWorld(BatchModels.graph(), at: standby.url(), options: options)
      #expect(try tags(reading) == ["first"])
      let writing = try BatchWorld(
        BatchModels.graph(), at: standby.url(), options: [NSPersistentStoreTimeoutOption: Patience.seconds])
      let error = #expect(throws: NSError.self) { try save("second", writing) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue, "\(String(describing: error))")
      #expect(try tags(writing) == ["first"])
    }
  }
#endif
