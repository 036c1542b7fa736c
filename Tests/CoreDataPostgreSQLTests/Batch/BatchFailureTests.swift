#if PostgreSQL
  import CoreData
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Batch requests that fail", .needsServer)
  struct BatchFailureTests {
    private func rows(_ count: Int) -> [[String: Any]] {
      (0..<count).map { ["tag": "p\($0)", "name": "N\($0)", "code": $0] }
    }

    /// Runs an insert that is to fail: there is nothing of it, and the next one succeeds.
    private func failing(
      _ rows: [[String: Any]], in world: BatchWorld,
      during body: ((Int) throws -> Void)? = nil
    ) throws -> NSError? {
      func state() throws -> [String] {
        try ["Product", "_change", "_commit"].flatMap { try world.texts("SELECT count(*)::text FROM \"\($0)\"") }
      }
      let before = try state()
      let error = #expect(throws: NSError.self) {
        try world.inContext(NSMergePolicy.error) { context in
          guard let body else { return _ = try context.insertBatch("Product", rows) }
          var number = 0
          let request = NSBatchInsertRequest(entityName: "Product") { (row: NSMutableDictionary) in
            if number == rows.count { return true }
            do { try body(number) } catch { Issue.record(error) }
            row.addEntries(from: rows[number])
            number += 1
            return false
          }
          _ = try context.execute(request)
        }
      }
      #expect(try state() == before)
      let next = [["tag": "next", "name": "next", "code": -1]] as [[String: Any]]
      #expect(try world.inContext { try $0.insertBatch("Product", next) } == 1)
      return error
    }

    @Test func aViolatedConstraintAmongManyRowsLeavesNothing() throws {
      let world = try BatchWorld(BatchModels.products(unique: [["code"]]))
      try world.inContext { context in
        context.make("Product", ["name": "taken", "code": 2_500])
        try context.save()
      }
      let error = try failing(rows(3_000), in: world)
      #expect(error?.code == NSManagedObjectConstraintMergeError)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(conflicts?.first?.constraint == ["code"])
    }

    @Test func aStringThatNoServerHoldsEndsACopy() throws {
      let world = try BatchWorld(BatchModels.products())
      var rows = self.rows(3_000)
      rows[2_500]["name"] = "a\0b"
      let error = try failing(rows, in: world)
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("name of Product has the character U+0000") == true)
    }

    @Test func aValueOfAnotherTypeEndsACopy() throws {
      let world = try BatchWorld(BatchModels.products())
      var rows = self.rows(3_000)
      rows[2_500]["code"] = "text"
      #expect(try failing(rows, in: world) != nil)
    }

    @Test func aSessionThatIsEndedWhileRowsAreCopiedLeavesNothing() throws {
      let world = try BatchWorld(BatchModels.products())
      let process = try world.store.withWriter { $0.serverProcess }
      let error = try failing(rows(20_000), in: world) { number in
        if number == 10_000 { try ServerConnection.toTests().run("SELECT pg_terminate_backend(\(process))") }
      }
      #expect(error?.domain == NSCocoaErrorDomain)
    }

    /// Runs a request again and again, and cuts the connection one message later each time, until there is none to cut behind.
    /// - Parameter hasKeys: whether keys for new rows are at hand, or have to be taken: always the same, so that requests do
    ///   not differ in their messages.
    /// - Returns: how many of those that were cut succeeded all the same, and how many failed.
    private func cutting(
      hasKeys: Bool = false, _ request: (_ world: BatchWorld, _ watcher: BatchWorld, _ position: Int) throws -> Bool
    ) throws -> (made: Int, failed: Int) {
      let proxy = try MessageProxy(to: PostgreSQLServer.shared.get().socket)
      defer { proxy.stop() }
      let place = try TestPlace.new()
      let schema = try #require(URLComponents(url: place, resolvingAgainstBaseURL: false)?.queryItems)
      let world = try BatchWorld(BatchModels.products(), at: proxy.url().appending(queryItems: schema))
      let watcher = try BatchWorld(BatchModels.products(), at: place)
      // Its announcements would be cut in place of requests.
      _ = try world.store.attendant.stop()
      var made = 0, failed = 0
      for position in 0..<300 {
        try setKeys(of: world.store, hasKeys)
        // Each request has a connection of its own.
        proxy.cutNow()
        let cuts = proxy.cutCount
        proxy.cut(after: position, of: .server)
        let isMade = try request(world, watcher, position)
        proxy.doNotCut()
        if proxy.cutCount == cuts { return (made, failed) }
        if isMade { made += 1 } else { failed += 1 }
      }
      Issue.record("300 messages did not end a request")
      return (made, failed)
    }

    private func setKeys(of store: ServerStore, _ areThere: Bool) throws {
      let root = try store.entity(#require(store.model.entitiesByName["Product"])).root
      while store.keys.takeRange(of: root.number) != nil {}
      guard areThere else { return }
      var flight = Flight()
      store.addNewKeys(100, of: root, to: &flight)
      try store.withWriter { try $0.run(flight) }
    }

    /// Whoever made the request is told whether it took place, also where its COMMIT was done and not answered.
    @Test(arguments: [20, 1_000], [false, true])
    func whereverAnInsertIsCutItsOutcomeIsKnown(count: Int, hasKeys: Bool) throws {
      let (made, failed) = try cutting(hasKeys: hasKeys) { world, watcher, position in
        let tag = "cut\(position)"
        let rows = self.rows(count).map { $0.merging(["tag": tag]) { $1 } }
        let result = try? world.inContext { try $0.insertBatch("Product", rows) }
        #expect(result == nil || result == count)
        let there = try watcher.texts("SELECT count(*)::text FROM \"Product\" WHERE tag = '\(tag)'")
        #expect(there == ["\(result ?? 0)"], "cut after \(position) messages")
        return result != nil
      }
      #expect(made > 1)
      // A few rows go with COMMIT in one flight: the server has done all of it when it begins to answer.
      #expect(failed > 1 || count < 100)
    }

    /// It begins again where it did not take place, and is made once.
    @Test func anUpdateThatIsCutIsMadeOnce() throws {
      var updates = 0
      let (made, _) = try cutting { world, watcher, position in
        if position == 0 { _ = try watcher.inContext { try $0.insertBatch("Product", rows(20)) } }
        let stock = NSExpression(format: "stock + 1")
        let isMade = (try? world.inContext { try $0.updateBatch("Product", nil, ["stock": stock]) }) != nil
        if isMade { updates += 1 }
        let there = try watcher.texts("SELECT DISTINCT stock::text FROM \"Product\"")
        #expect(there == ["\(3 + updates)"], "cut after \(position) messages")
        return isMade
      }
      #expect(made > 1)
    }
  }
#endif
