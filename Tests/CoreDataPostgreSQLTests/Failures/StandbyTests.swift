#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
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

    /// Waits until a standby has so many nodes.
    private func has(_ count: Int, _ standby: PostgreSQLServer) -> Bool {
      (0..<6000).contains { _ in
        if (try? standby.values(of: "SELECT count(*) FROM \"Node\"")) == ["\(count)"] { return true }
        usleep(50_000)
        return false
      }
    }

    /// The server waits for the standby's disk in each save. That one lags, and is promoted when the server fails: it has every
    /// save that was acknowledged, and the store goes on there.
    @Test func nothingIsLostWhereALaggingStandbyIsPromoted() throws {
      let server = try PostgreSQLServer(), standby = try PostgreSQLServer(standbyOf: server)
      _ = try server.values(of: "ALTER SYSTEM SET synchronous_standby_names = '*'")
      _ = try server.values(of: "SELECT pg_reload_conf()")
      let place = try Self.url(standby, server)
      let world = try BatchWorld(BatchModels.graph(), at: place, options: [NSPersistentStoreTimeoutOption: 30])
      try save("first", world)
      #expect(has(1, standby))
      _ = try standby.values(of: "SELECT pg_wal_replay_pause()")
      usleep(200_000)
      for number in 0..<20 { try save("later\(number)", world) }
      let seen = try standby.values(of: "SELECT count(*) FROM \"Node\"")
      #expect(seen == ["1"], "the standby lags")
      #expect(try tags(world).count == 21)
      try server.stop(immediate: true)
      Thread.detachNewThread {
        usleep(500_000)
        try? standby.promote()
      }
      // Begun while no server takes writes.
      try save("last", world)
      #expect(try standby.values(of: "SELECT count(*) FROM \"Node\"") == ["22"])
      #expect(try tags(world).count == 22)
      #expect(try standby.values(of: "SELECT count(DISTINCT tag) FROM \"Node\"") == ["22"])
    }

    /// A standby that lacks the last commits, as none waited for it: what the store has cached of them is not there any more.
    @Test func whatAPromotedStandbyLacksIsNotInTheCache() throws {
      let server = try PostgreSQLServer(), standby = try PostgreSQLServer(standbyOf: server)
      let place = try Self.url(server, standby)
      let world = try BatchWorld(BatchModels.graph(), at: place, options: [NSPersistentStoreTimeoutOption: 30])
      try save("first", world)
      #expect(has(1, standby))
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
      #expect(has(1, standby))
      let options: [String: Any] = [NSReadOnlyPersistentStoreOption: true, NSPersistentStoreTimeoutOption: 5]
      let reading = try BatchWorld(BatchModels.graph(), at: standby.url(), options: options)
      #expect(try tags(reading) == ["first"])
      let writing = try BatchWorld(
        BatchModels.graph(), at: standby.url(), options: [NSPersistentStoreTimeoutOption: 5])
      let error = #expect(throws: NSError.self) { try save("second", writing) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue, "\(String(describing: error))")
      #expect(try tags(writing) == ["first"])
    }
  }
#endif
