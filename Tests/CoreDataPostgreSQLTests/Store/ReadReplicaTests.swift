#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Tests that contexts which read from a standby see the saves of their own coordinator, even if the standby lacks them.
  @Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ReadReplicaTests {
    private let primary: PostgreSQLServer, standby: PostgreSQLServer

    init() throws {
      primary = try PostgreSQLServer()
      standby = try PostgreSQLServer(standbyOf: primary)
    }

    /// Makes a program that reads from the standby, and another one that uses only the primary.
    private func programs() throws -> (reader: HistoryProgram, other: HistoryProgram) {
      let other = try HistoryProgram(primary.url(), nil)
      return (try HistoryProgram(primary.url(), [NSPostgreSQLReplicaURLOption: standby.url()]), other)
    }

    private func texts(_ program: HistoryProgram) throws -> [String] {
      try program.context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        return try program.context.fetch(request).compactMap { $0.value(forKey: "text") as? String }
      }
    }

    private func pause(_ isPaused: Bool) throws {
      _ = try standby.values(of: "SELECT pg_wal_replay_\(isPaused ? "pause" : "resume")()")
      let state = isPaused ? "paused" : "not paused"
      try Patience.wait(for: state) { try standby.values(of: "SELECT pg_get_wal_replay_pause_state()") == [state] }
    }

    /// Waits until the standby has replayed the primary's log up to now, including records that no commit has flushed yet.
    private func waitForStandby() throws {
      _ = try primary.values(of: "SELECT pg_logical_emit_message(true, 'test', '')")
      let position = try #require(try primary.values(of: "SELECT pg_current_wal_flush_lsn()").first)
      let question = "SELECT pg_last_wal_replay_lsn() >= '\(position)'"
      try Patience.wait(for: "the standby") { try standby.values(of: question) == ["t"] }
    }

    /// A standby that has not replayed the creation of the store lags behind, and the next transaction tries it again.
    @Test func aStandbyThatLacksTheStoreIsReadAsSoonAsItHasIt() throws {
      try pause(true)
      let (reader, other) = try programs()
      try reader.save("a")
      for _ in 0..<3 { #expect(try texts(reader) == ["a"]) }
      try pause(false)
      try waitForStandby()
      #expect(try texts(reader) == ["a"])
      try pause(true)
      try other.save("b")
      #expect(try texts(reader) == ["a"])
      try pause(false)
    }

    @Test func ownSavesAreSeenAtOnceAndOthersWhenTheyAreThere() throws {
      let (reader, other) = try programs()
      try reader.save("a")
      #expect(try texts(reader) == ["a"])
      // The first read goes to the primary, and learns the position that the standby must have reached. The second read goes to
      // the standby.
      _ = try texts(reader)
      try waitForStandby()
      #expect(try texts(reader) == ["a"])
      #expect(reader.store.replica?.pool.openCount == 1)
      try pause(true)
      try other.save("b")
      #expect(try texts(other) == ["a", "b"])
      #expect(try texts(reader) == ["a"])
      // After a save of its own coordinator, a read goes to the primary, because it has to see the save.
      try reader.save("c")
      #expect(try texts(reader) == ["a", "b", "c"])
      try pause(false)
      for number in 0..<100 {
        try reader.save("d\(number)")
        #expect(try texts(reader).count == 4 + number)
      }
    }

    @Test func faultsOfAFetchHaveTheirRows() throws {
      let (reader, other) = try programs()
      for number in 0..<20 { try other.save("\(number)") }
      // After the standby has replayed everything, it answers the first fetch.
      _ = try texts(reader)
      try waitForStandby()
      #expect(try texts(reader).count == 20)
      let statements = try StatementLog.collectStatements { try texts(reader) }.1
      #expect(statements.count { $0.text.contains("\"Note\"") } == 1, "\(statements.map(\.text))")
      #expect(reader.store.replica?.pool.openCount == 1)
    }

    /// After a conflict, a read must see the version that the save conflicted with.
    @Test func conflictsAreResolvedByWhatThePrimaryHas() throws {
      let (reader, other) = try programs()
      let id = try reader.save("a")
      _ = try texts(reader)
      try waitForStandby()
      try pause(true)
      let theirs = other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
      try other.change(#require(theirs), to: "b")
      try reader.context.performAndWait {
        reader.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let object = try reader.context.existingObject(with: id)
        object.setValue(5, forKey: "number")
        try reader.context.save()
        #expect(object.value(forKey: "text") as? String == "b")
      }
      #expect(try texts(reader) == ["b"])
    }

    @Test func withoutTheStandbyThePrimaryIsRead() throws {
      let (reader, other) = try programs()
      try other.save("a")
      try Patience.wait(for: "the note on the standby") { try texts(reader) == ["a"] }
      try standby.stop(immediate: true)
      try other.save("b")
      #expect(try texts(reader) == ["a", "b"])
    }

    /// Failures of the standby are reported only in the log, once and not for each transaction.
    @Test func theLogTellsOnceThatTheStandbyFails() throws {
      let replica = try #require(try programs().reader.store.replica)
      let failure = NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreOperationError)
      #expect([replica.note(failure: failure), replica.note(failure: failure)] == [true, false])
      #expect(replica.needed == nil)
      replica.noteSuccess()
      #expect(replica.note(failure: failure))
    }

    @Test func aStandbyThatWasPromotedIsNoneAnyMore() throws {
      let (reader, other) = try programs()
      try other.save("a")
      try Patience.wait(for: "the note on the standby") { try texts(reader) == ["a"] }
      try standby.promote()
      try other.save("b")
      #expect(try texts(reader) == ["a", "b"])
    }

    @Test func anotherURLIsRefused() throws {
      for value in ["https://host/db", 5] as [Any] {
        #expect(throws: NSError.self) { _ = try HistoryProgram(primary.url(), [NSPostgreSQLReplicaURLOption: value]) }
      }
    }
  }
#endif
