#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @testable import CoreDataPostgreSQL

  /// A server waits in COMMIT for a synchronous standby that is not there, and is told to stop waiting.
  @Suite("Commits that no standby confirms", .needsServer)
  struct UnconfirmedCommitTests {
    enum Work: CaseIterable { case insert, update, batchInsert }

    private func setStandbys(_ names: String, _ server: PostgreSQLServer) throws {
      _ = try server.values(of: "ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
      _ = try server.values(of: "SELECT pg_reload_conf()")
      // The checkpointer tells sessions whether to wait, and reads its settings before it does what is asked of it.
      _ = try server.values(of: "CHECKPOINT")
    }

    /// Stops each session that waits for a standby, until the work is done.
    private func stopWaiting(on server: PostgreSQLServer, _ stop: String, while isRunning: borrowing Mutex<Bool>) throws
    {
      while isRunning.withLock({ $0 }) {
        _ = try server.values(of: "SELECT \(stop)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        usleep(10_000)
      }
    }

    @Test(arguments: Work.allCases, ["pg_cancel_backend", "pg_terminate_backend"])
    func whatIsCommittedWithoutAStandbyIsInDoubt(_ work: Work, _ stop: String) throws {
      let server = try PostgreSQLServer(), world = try BatchWorld(BatchModels.graph(), at: server.url())
      try world.store.sendNothingByItself()
      let context = world.context
      try context.performAndWait {
        context.make("Node", ["tag": "one", "age": 0])
        try context.save()
      }
      try setStandbys("nobody", server)
      let isRunning = Mutex(true), hasStopped = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do { try stopWaiting(on: server, stop, while: isRunning) } catch { Issue.record(error) }
        hasStopped.signal()
      }
      context.performAndWait {
        let error = #expect(throws: NSError.self) {
          switch work {
          case .insert: context.make("Node", ["tag": "two", "age": 2])
          case .update: try context.all("Node").first?.setValue(2, forKey: "age")
          case .batchInsert:
            try context.execute(NSBatchInsertRequest(entityName: "Node", objects: [["tag": "two", "age": 2]]))
          }
          if context.hasChanges { try context.save() }
        }
        #expect(error?.code == NSPersistentStoreSaveError, "\(error?.localizedDescription ?? "")")
        #expect(error?.userInfo[NSPostgreSQLSaveIsInDoubtKey] as? Bool == true, "\(error?.localizedDescription ?? "")")
        #expect(context.hasChanges == (work != .batchInsert))
      }
      isRunning.withLock { $0 = false }
      hasStopped.wait()
      try setStandbys("", server)
      let ages = try server.values(of: "SELECT tag || age FROM \"Node\" ORDER BY 1")
      #expect(ages == (work == .update ? ["one2"] : ["one0", "two2"]))
      try context.performAndWait {
        switch work {
        case .insert:
          // The server still has it, and it is not inserted again.
          let error = #expect(throws: NSError.self) { try context.save() }
          #expect(error?.code == NSPersistentStoreSaveError && error?.userInfo[NSPostgreSQLSaveIsInDoubtKey] == nil)
          context.reset()
        case .update:
          context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
          try context.save()
        case .batchInsert: break
        }
      }
      #expect(try server.values(of: "SELECT tag || age FROM \"Node\" ORDER BY 1") == ages)
    }

    /// Rows that nobody reads are skipped by stopping the statement, but not once COMMIT was sent.
    @Test func nothingIsStoppedAfterCommit() throws {
      let connection = try ServerConnection.toTests()
      struct Unreadable: Error {}
      try connection.run("CREATE TEMPORARY TABLE t(a int8)")
      for round in 1...20 {
        var isCommitted = false
        var flight = Flight()
        flight.add(ServerStatement("BEGIN"))
        flight.add(ServerStatement("INSERT INTO t VALUES (1)"))
        flight.add(ServerStatement("SELECT 1")) { _ in throw Unreadable() }
        flight.add(ServerStatement("SELECT a::int8 FROM generate_series(1, 5000) AS s(a)"))
        flight.add(ServerStatement("SELECT count(*) FROM generate_series(1, 200000)"))
        flight.add(ServerStatement("COMMIT"), role: .commit) { isCommitted = $0.isOfCommit }
        #expect(throws: Unreadable.self) { try connection.run(flight) }
        #expect(isCommitted)
        #expect(try connection.number("SELECT count(*) FROM t") == Int64(round))
      }
    }
  }
#endif
