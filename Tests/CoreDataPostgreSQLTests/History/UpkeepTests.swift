#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Synchronization
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// What is deleted of the tables that all readers look into, and what is not.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct UpkeepTests {
    private static let hasty = Upkeep(minimumAge: 0, silence: 600, horizonStep: 0)

    private func count(_ bare: BareConnection) throws -> [Int64] {
      try ["_commit", "_change"].map { try bare.numbers("SELECT count(*) FROM \"\($0)\"")[0] }
    }

    @Test func whatSomebodyMayAskForStays() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil), reader = try HistoryProgram(url, nil)
      let bare = try BareConnection(url)
      let id = try writer.save("a")
      let theirs = try #require(reader.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
      // Younger than an hour: a save in doubt may ask for its token.
      for _ in 1...3 { #expect(try writer.store.tidy(Upkeep(horizonStep: 0)) == 0) }
      #expect(try count(bare) == [1, 1])
      #expect(reader.text(of: theirs) == "a")
      #expect(try reader.store.tidy(Upkeep(horizonStep: 0)) == 0)
      try writer.change(id, to: "b")
      _ = try writer.context.performAndWait { try writer.context.count(for: NSFetchRequest(entityName: "Note")) }
      // The reader's snapshot has seen the first save alone.
      #expect(try writer.store.tidy(Self.hasty) == 1)
      #expect(try count(bare) == [1, 1])
      #expect(reader.text(of: theirs) == "b")
      try reader.store.tidy(Upkeep(horizonStep: 0))
      #expect(try writer.store.tidy(Self.hasty) == 1)
      #expect(try count(bare) == [0, 0])
      #expect(reader.text(of: theirs) == "b")
    }

    @Test func historyStaysUntilItIsPurged() throws {
      let url = try TestPlace.new()
      let program = try HistoryProgram(url)
      let bare = try BareConnection(url)
      try program.save("a")
      try program.save("b")
      for _ in 1...2 { #expect(try program.store.tidy(Self.hasty) == 0) }
      #expect(try program.all().count == 2)
      _ = try program.execute(.deleteHistory(before: .distantFuture))
      #expect(try program.all().isEmpty)
      // Readers may need its changes still, but history's own part of them is gone.
      #expect(try count(bare) == [2, 2])
      #expect(try bare.numbers("SELECT count(*) FROM \"_change\" WHERE props IS NOT NULL OR tomb IS NOT NULL") == [0])
      _ = try program.context.performAndWait { try program.context.count(for: NSFetchRequest(entityName: "Note")) }
      #expect(try program.store.tidy(Self.hasty) == 2)
      #expect(try count(bare) == [0, 0])
    }

    @Test func aReaderThatWasDroppedForgetsWhatItHas() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil), reader = try HistoryProgram(url, nil)
      let bare = try BareConnection(url)
      let id = try writer.save("a")
      let theirs = try #require(reader.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
      #expect(reader.text(of: theirs) == "a")
      try reader.store.tidy()
      #expect(try bare.numbers("SELECT count(*) FROM \"_reader\"") == [1])
      try writer.change(id, to: "b")
      try bare.run("UPDATE \"_reader\" SET at = at - 700")
      _ = try writer.context.performAndWait { try writer.context.count(for: NSFetchRequest(entityName: "Note")) }
      #expect(try writer.store.tidy(Self.hasty) == 2)
      #expect(try count(bare) == [0, 0])
      // It comes again, and finds that its row is not there.
      try reader.store.tidy()
      #expect(reader.text(of: theirs) == "b")
    }

    @Test func aTransactionInProgressIsNotTouched() throws {
      let url = try TestPlace.new()
      let program = try HistoryProgram(url, nil)
      let late = try BareConnection(url), bare = try BareConnection(url)
      try late.run("BEGIN", "INSERT INTO \"_commit\"(token, at) VALUES (gen_random_uuid(), 1)")
      try program.save("a")
      _ = try program.context.performAndWait { try program.context.count(for: NSFetchRequest(entityName: "Note")) }
      #expect(try program.store.tidy(Self.hasty) == 1)
      try late.run("COMMIT")
      #expect(try count(bare) == [1, 0])
      // The snapshot from before does not see it.
      #expect(try program.store.tidy(Upkeep(minimumAge: 0, silence: 600, horizonStep: 600)) == 0)
    }

    /// A clock that is set by hand.
    private final class Clock: Sendable {
      private let time = Mutex(ContinuousClock.now)
      var now: ContinuousClock.Instant { time.withLock { $0 } }
      func advance(minutes: Int) { time.withLock { $0 += .seconds(60 * minutes) } }
    }

    /// What the server may have deleted is not relied on.
    @Test func aCacheThatIsTooOldIsForgotten() throws {
      let store = try HistoryProgram(try TestPlace.new(), nil)
      let clock = Clock()
      let freshness = ServerFreshness(store.store.model, now: { clock.now }, relationID: store.store.relationID)
      func read(_ text: String) throws -> UInt64 {
        let snapshot = try #require(TransactionSnapshot(text))
        let answer = DeltaQuery.Answer(state: .snapshot(snapshot), schemaVersion: 1, changes: .rows([]))
        return try #require(freshness.begin(answer, to: freshness.ask(), attemptsLeft: 0, in: store.store))
      }
      let first = try read("10:10:")
      clock.advance(minutes: 50)
      #expect(try read("11:11:") == first)
      clock.advance(minutes: 50)
      #expect(try read("11:11:") == first)
      clock.advance(minutes: 50)
      let lease = try #require(freshness.beginLease())
      freshness.endLease(lease, wasThere: false)
      clock.advance(minutes: 8)
      // Old, but the server keeps changes for it.
      #expect(try read("12:12:") == first)
      clock.advance(minutes: 56)
      // The lease is over.
      #expect(try read("13:13:") > first)
      clock.advance(minutes: 56)
      #expect(freshness.beginLease() == nil)
      let last = try read("14:14:")
      let renewed = try #require(freshness.beginLease())
      freshness.endLease(renewed, wasThere: false)
      #expect(try read("15:15:") == last)
      freshness.endLease(try #require(freshness.beginLease()), wasThere: true)
      #expect(try read("16:16:") == last)
      freshness.endLease(try #require(freshness.beginLease()), wasThere: false)
      #expect(try read("17:17:") > last)
    }
  }
#endif
