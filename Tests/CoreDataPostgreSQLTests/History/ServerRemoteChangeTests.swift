#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @_spi(Store) @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Notifications of what other programs have saved.
  @Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerRemoteChangeTests {
    /// What a coordinator was told, one after the other.
    private final class Announcements: @unchecked Sendable {  // everything belongs to `condition`
      private let condition = NSCondition()
      private var received: [[AnyHashable: Any]] = []
      private var observer: (any NSObjectProtocol)?

      init(_ program: HistoryProgram) {
        observer = NotificationCenter.default.addObserver(
          forName: .NSPersistentStoreRemoteChange, object: program.coordinator, queue: nil
        ) { [weak self] notification in
          guard let self else { return }
          condition.withLock {
            received.append(notification.userInfo ?? [:])
            condition.broadcast()
          }
        }
      }

      deinit { observer.map(NotificationCenter.default.removeObserver) }

      func first(
        within seconds: Double = 60, _ matches: ([AnyHashable: Any]) -> Bool = { _ in true }
      ) -> [AnyHashable: Any]? {
        let limit = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
          while true {
            if let index = received.firstIndex(where: matches) {
              let found = received[index]
              received.removeFirst(index + 1)
              return found
            }
            if !condition.wait(until: limit) { return nil }
          }
        }
      }

      var count: Int { condition.withLock { received.count } }
    }

    private static var announcing: [AnyHashable: Any] {
      [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    private func token(_ userInfo: [AnyHashable: Any]?) -> NSPersistentHistoryToken? {
      userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
    }

    @Test func everyCoordinatorOfTheStoreIsTold() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, Self.announcing), reader = try HistoryProgram(url, Self.announcing)
      let other = try HistoryProgram(try TestPlace.new(), Self.announcing)
      // It need not have the option itself.
      let silent = try HistoryProgram(url)
      let heard = [writer, reader].map(Announcements.init), unheard = [other, silent].map(Announcements.init)
      for program in [writer, silent] {
        let before = writer.token
        try program.save("a")
        for (announcements, listener) in zip(heard, [writer, reader]) {
          let told = try #require(announcements.first(within: 5))
          #expect(told[NSStoreUUIDKey] as? String == writer.store.identifier)
          #expect(told[NSPersistentStoreURLKey] as? URL == url)
          #expect(try listener.history(after: before).count == 1)
          #expect(try listener.history(after: token(told)).isEmpty)
        }
      }
      #expect(unheard.allSatisfy { $0.count == 0 })
      #expect([writer, reader].allSatisfy { $0.store.isOpen })
    }

    @Test func manySavesShareNotificationsAndTheLastIsTold() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url), reader = try HistoryProgram(url, Self.announcing)
      let heard = Announcements(reader)
      let start = Date()
      for number in 0..<100 { try writer.save("\(number)") }
      let last = try #require(writer.token)
      #expect(heard.first(within: 8) { (try? reader.history(after: self.token($0)))?.isEmpty == true } != nil)
      #expect(Double(heard.count) <= 3 + 5 * -start.timeIntervalSinceNow)
      #expect(try reader.history(after: last).isEmpty)
    }

    @Test func withoutHistoryThereIsNoToken() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil)
      let reader = try HistoryProgram(url, [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(try Set(#require(heard.first(within: 5)).keys) == [NSStoreUUIDKey, NSPersistentStoreURLKey])
    }

    @Test func behindAPoolerTheStoreIsLookedAt() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url)
      let reader = try HistoryProgram(
        url, Self.announcing.merging([NSPostgreSQLConnectionPoolerOption: true]) { $1 })
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(heard.first(within: 6) != nil)
    }

    @Test func nothingIsLostWithAConnection() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url), reader = try HistoryProgram(url, Self.announcing)
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(heard.first(within: 5) != nil)
      let bare = try BareConnection(url)
      for _ in 1...3 {
        // The listener's last statement was a look.
        let count = try bare.numbers(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
          AND query LIKE '%EXISTS (SELECT FROM "_commit" WHERE xid >= pg_snapshot_xmin%'
          """)
        #expect(count[0] > 0)
        let before = writer.token
        try writer.save("b")
        #expect(heard.first(within: 20) { _ in (try? reader.history(after: before))?.count == 1 } != nil)
      }
    }

    @Test func theLastAnnouncementIsSentWhenTheStoreIsRemoved() throws {
      let url = try TestPlace.new()
      let reader = try HistoryProgram(url, Self.announcing)
      let heard = Announcements(reader)
      for _ in 1...5 {
        let writer = try HistoryProgram(url)
        try writer.save("a")
        try writer.save("b")
        let token = try #require(writer.token)
        try writer.coordinator.remove(writer.coordinator.persistentStores[0])
        #expect(heard.first(within: 5) { (try? reader.history(after: self.token($0)))?.isEmpty == true } != nil)
        #expect(try reader.history(after: token).isEmpty)
      }
    }

    @Test func theThreadsKeepNoStoreAlive() throws {
      weak var store: ServerStore?
      let url = try TestPlace.new()
      var count = 0
      try autoreleasing {
        let program = try HistoryProgram(url, Self.announcing)
        try program.save("a")
        store = program.store
      }
      let bare = try BareConnection(url)
      for _ in 0..<6000 where store != nil || count != 1 {
        usleep(50_000)
        count = Int(
          try bare.numbers(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%_commit\" WHERE xid >= pg_snapshot_xmin%'")[0])
      }
      #expect(store == nil)
      // This question itself.
      #expect(count == 1)
    }

    private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
  }
#endif
