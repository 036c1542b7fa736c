#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Deleting history, and the places that outlive it or do not.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerHistoryPurgeTests {
    private func program(_ count: Int, _ url: URL) throws -> HistoryProgram {
      let program = try HistoryProgram(url)
      for number in 0..<count { try program.save("\(number)") }
      return program
    }

    @Test func whatIsBeforeATransactionATokenOrADateGoes() throws {
      let program = try program(6, try TestPlace.new())
      let all = try program.all()
      let counted = NSPersistentHistoryChangeRequest.deleteHistory(before: all[1])
      counted.resultType = .count
      #expect(try program.execute(counted) as? Int == 1)
      #expect(try program.all() == Array(all[1...]))
      #expect(try program.execute(.deleteHistory(before: all[2].token)) as? Bool == true)
      #expect(try program.all() == Array(all[2...]))
      _ = try program.execute(.deleteHistory(before: all[4].timestamp))
      #expect(try program.all() == Array(all[4...]))
      _ = try program.execute(.deleteHistory(before: nil as NSPersistentHistoryToken?))
      #expect(try program.all().count == 2)
      // The transaction that the present token was taken after stays.
      _ = try program.execute(.deleteHistory(before: program.token))
      #expect(try program.all() == [all[5]])
      _ = try program.execute(.deleteHistory(before: .distantFuture))
      #expect(try program.all().isEmpty)
      try program.save("last")
      #expect(try program.all().count == 1)
    }

    @Test func aTokenIsGoodAsLongAsNothingAfterItIsMissing() throws {
      let url = try TestPlace.new()
      let program = try program(6, url)
      let all = try program.all()
      _ = try program.execute(.deleteHistory(before: all[3]))
      #expect(try program.history(after: all[4].token) == [all[5]])
      #expect(try program.history(after: all[3].token) == [all[4], all[5]])
      #expect(try program.history(after: all[2].token) == [all[3], all[4], all[5]])
      for transaction in all[0...1] {
        #expect(codeOfError { _ = try program.history(after: transaction.token) } == 134301)
      }
      let now = program.token
      _ = try program.execute(.deleteHistory(before: .distantFuture))
      #expect(try program.history(after: now).isEmpty)
      #expect(try HistoryProgram(url).history(after: now).isEmpty)
      #expect(codeOfError { _ = try program.history(after: all[4].token) } == 134301)
    }

    @Test func whoHasNotSeenALateCommitThatWasPurgedHasMissedIt() throws {
      let url = try TestPlace.new()
      let program = try program(1, url)
      let late = try BareConnection(url), aborted = try BareConnection(url)
      _ = try late.beginSave("late")
      _ = try aborted.beginSave("aborted")
      try program.save("b")
      let token = program.token
      try aborted.run("ROLLBACK")
      let all = try program.all()
      _ = try program.execute(.deleteHistory(before: all[1]))
      // It has not seen two that were not committed; neither was purged.
      #expect(try program.history(after: token).isEmpty)
      try late.run("COMMIT")
      #expect(try program.history(after: token).map(\.author) == ["late"])
      _ = try program.execute(.deleteHistory(before: .distantFuture))
      #expect(codeOfError { _ = try program.history(after: token) } == 134301)
    }

    /// A clock that went back gives later transactions earlier times.
    @Test(arguments: [[50, 10, 20, 60, 70], [10, 50, 20, 60, 70], [10, 20, 30, 40, 50], [50, 50, 10, 20, 10]])
    func purgingByDateLeavesNoGap(_ times: [Int]) throws {
      let url = try TestPlace.new()
      let program = try program(times.count, url), bare = try BareConnection(url)
      for time in times {
        // The first that has no such time yet: real times are far later.
        try bare.run(
          """
          UPDATE "_commit" SET at = \(time) WHERE xid = \
          (SELECT xid FROM "_commit" WHERE process IS NOT NULL AND at > 1000 ORDER BY xid LIMIT 1)
          """)
      }
      let all = try program.all()
      let end = times.firstIndex { $0 >= 40 } ?? times.count
      _ = try program.execute(.deleteHistory(before: Date(timeIntervalSinceReferenceDate: 40)))
      #expect(try program.all() == Array(all[end...]))
      #expect(try program.history(after: all[max(end, 1) - 1].token) == Array(all[max(end, 1)...]))
    }

    @Test func onlySoManyPurgedTransactionsAreRemembered() throws {
      let url = try TestPlace.new()
      let program = try program(2, url)
      let late = try BareConnection(url), bare = try BareConnection(url)
      _ = try late.beginSave("late")
      try program.save("c")
      let old = program.token
      try bare.run(
        """
        UPDATE "_store" SET purged = ARRAY(SELECT (SELECT xid FROM "_commit" ORDER BY xid DESC LIMIT 1) \
        FROM generate_series(1, 1000))
        """)
      try late.run("ROLLBACK")
      // It has seen that one, but not an older one: that might be among those that are not remembered.
      #expect(codeOfError { _ = try program.history(after: old) } == 134301)
      try program.save("d")
      _ = try program.execute(.deleteHistory(before: .distantFuture))
      #expect(try bare.numbers("SELECT cardinality(purged)::bigint FROM \"_store\"") == [4])
    }

    @Test func tokensOfOtherStoresAndKindsAreExpired() throws {
      let program = try program(2, try TestPlace.new())
      let id = try #require(program.store.identifier)
      let foreign = try self.program(1, try TestPlace.new()).token
      let snapshot = try #require(TransactionSnapshot("1:1000000000000:"))
      let system = program.store.identity.system
      let late = NSPersistentHistoryToken([id: HistoryPlace.snapshot(snapshot, server: system)])
      let elsewhere = NSPersistentHistoryToken([id: HistoryPlace.snapshot(.empty, server: system + 1)])
      for token in [foreign, late, elsewhere, NSPersistentHistoryToken([id: 5])] {
        #expect(codeOfError { _ = try program.history(after: token) } == 134301)
      }
    }

    /// As after a restoration of a dump.
    @Test(arguments: ["UPDATE \"_store\" SET system = system + 1", "UPDATE \"_commit\" SET xid = '99999999999'"])
    func onAnotherServerTheHistoryBeginsAnew(_ change: String) throws {
      let url = try TestPlace.new()
      var token: NSPersistentHistoryToken?
      do {
        let program = try program(1, url)
        token = program.token
        try program.save("b")
        try program.coordinator.remove(program.coordinator.persistentStores[0])
      }
      let bare = try BareConnection(url)
      try bare.run(
        change.contains("_store") ? change : change + " WHERE xid = (SELECT xid FROM \"_commit\" ORDER BY xid LIMIT 1)")
      let program = try HistoryProgram(url)
      #expect(try program.all().isEmpty)
      #expect(try bare.numbers("SELECT count(*) FROM \"_change\"") == [0])
      #expect(codeOfError { _ = try program.history(after: token) } == 134301)
      let now = program.token
      try program.save("c")
      #expect(try program.history(after: now).count == 1)
      #expect(try HistoryProgram(url).history(after: now).count == 1)
    }
  }
#endif
