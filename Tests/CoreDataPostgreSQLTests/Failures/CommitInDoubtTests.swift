#if PostgreSQL
  import CoreData
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// The connection is lost while a save is under way, and once more while the store finds out what became of it.
  @Suite("Commits in doubt", .needsServer)
  struct CommitInDoubtTests {
    /// The messages from COMMIT on: three for it, three for the question what others have changed, Sync, ROLLBACK, Sync.
    private static let end = 11

    /// Cuts a save behind some message of the client's, then behind each message of the server's that comes after it.
    /// - Parameter isCommitted: whether the server has got all of the save when it is cut.
    @Test(arguments: [false, true]) func aSaveIsMadeOnceWhereTheQuestionIsCutToo(isCommitted: Bool) throws {
      let world = try ProxiedWorld(BatchModels.graph())
      try world.direct.inContext { context in
        context.make("Node", ["tag": "one", "age": 0])
        try context.save()
      }
      let context = world.store.context
      var age = 0
      /// - Parameter begin: called when everything was read.
      func save(_ begin: () -> Void = {}) throws {
        try context.performAndWait {
          let node = try #require(try context.all("Node").first)
          node.setValue(age + 1, forKey: "age")
          begin()
          try context.save()
        }
        age += 1
      }
      // Statements are prepared before the messages are counted.
      for _ in 0..<3 { try save { world.proxy.resetCounts() } }
      let messages = world.proxy.count(of: .client)
      var position = 0, rounds = 0
      while rounds < 300 {
        rounds += 1
        for _ in 0..<3 { try save() }
        let cuts = world.proxy.cutCount
        do {
          try save {
            world.proxy.cut([(isCommitted ? messages : messages - Self.end, .client), (position, .server)])
          }
        } catch { checkFailure(error, "question cut after \(position)") }
        world.proxy.doNotCut()
        #expect(try world.direct.texts("SELECT age::text FROM \"Node\"") == ["\(age)"], "cut after \(position)")
        context.performAndWait { context.rollback() }
        // Now and then the messages differ, where a transaction was ended in the background.
        if world.proxy.cutCount == cuts { continue }
        if world.proxy.cutCount == cuts + 1 { break }
        position += 1
      }
      // The connection is made, and the claim of the token has its answer.
      #expect((20..<200).contains(position))
    }

    /// No server answers after the cut until the timeout. The context keeps what it has inserted; its next save writes it if it
    /// is not there yet, and else says that it is.
    @Test(arguments: [false, true]) func whatWasInsertedInDoubtIsNotInsertedTwice(isCommitted: Bool) throws {
      let world = try ProxiedWorld(BatchModels.graph(), options: [NSPersistentStoreTimeoutOption: 5])
      let context = world.store.context
      func insert(_ tag: String, _ begin: () -> Void) throws {
        try context.performAndWait {
          context.make("Node", ["tag": tag])
          begin()
          try context.save()
        }
      }
      for number in 0..<3 { try insert("\(number)") { world.proxy.resetCounts() } }
      let messages = world.proxy.count(of: .client)
      let unreachable = Array(repeating: (count: 0, side: MessageProxy.Side.server), count: 10_000)
      let error = #expect(throws: NSError.self) {
        try insert("doubt") {
          world.proxy.cut([(isCommitted ? messages : messages - Self.end, .client)] + unreachable)
        }
      }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.userInfo[NSPostgreSQLSaveIsInDoubtKey] as? Bool == true, "\(String(describing: error))")
      world.proxy.doNotCut()
      context.performAndWait {
        #expect(context.insertedObjects.count == 1)
        guard isCommitted else {
          #expect(throws: Never.self) { try context.save() }
          return
        }
        for _ in 0..<2 {
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(error?.code == NSPersistentStoreSaveError)
          #expect(error?.localizedDescription.contains("must be reset") == true, "\(String(describing: error))")
        }
        context.reset()
      }
      try insert("next") {}
      let tags = try world.direct.texts("SELECT tag FROM \"Node\" ORDER BY tag")
      #expect(tags == ["0", "1", "2", "doubt", "next"])
    }

    /// The claim of a token is no save, also for one who asks about it again because the answer was lost.
    @Test func aClaimIsNoCommit() throws {
      let world = try BatchWorld(BatchModels.graph())
      let store = try world.store, token = UUID(), lost = ServerError(message: "lost", isConnectionLost: true)
      for _ in 0..<2 {
        #expect(throws: SaveAgain.self) { try store.resolve(token, lost, SaveOutcome(), since: .now) }
      }
    }

    /// After an hour the row with the token may be deleted, so that its absence says nothing.
    @Test(arguments: [false, true]) func nobodyTellsOfASaveThatIsTooOld(isCommitted: Bool) throws {
      let world = try BatchWorld(BatchModels.graph())
      let store = try world.store, context = world.context
      let old = ContinuousClock.now - Upkeep.answerable - .seconds(1)
      try context.performAndWait {
        let node = context.make("Node", ["tag": "doubt"])
        let token = UUID()
        if isCommitted {
          try BareConnection(world.url).run("INSERT INTO \"_commit\"(token, at) VALUES ('\(token.uuidString)', 5)")
        }
        store.doubts.note(token, [node], since: old)
        for _ in 0..<2 {
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(error?.code == NSPersistentStoreSaveError && error?.userInfo[NSPostgreSQLSaveIsInDoubtKey] == nil)
          let text = isCommitted ? "took place, of which" : "cannot tell any more"
          #expect(error?.localizedDescription.contains(text) == true, "\(String(describing: error))")
          #expect(error?.localizedDescription.contains("must be reset") == true)
        }
        context.reset()
        context.make("Node", ["tag": "next"])
        try context.save()
      }
      #expect(try world.texts("SELECT tag FROM \"Node\"") == ["next"])
    }
  }
#endif
