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
      private var number = 0
      private var observer: (any NSObjectProtocol)?

      init(_ program: HistoryProgram) {
        observer = NotificationCenter.default.addObserver(
          forName: .NSPersistentStoreRemoteChange, object: program.coordinator, queue: nil
        ) { [weak self] notification in
          guard let self else { return }
          condition.withLock {
            received.append(notification.userInfo ?? [:])
            number += 1
            condition.broadcast()
          }
        }
      }

      deinit { observer.map(NotificationCenter.default.removeObserver) }

      /// The first that satisfies the condition; nil when none comes for very long.
      func first(_ matches: ([AnyHashable: Any]) -> Bool = { _ in true }) -> [AnyHashable: Any]? {
        let limit = Date(timeIntervalSinceNow: Patience.seconds)
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

      /// How many there were.
      var count: Int { condition.withLock { number } }
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
          let told = try #require(announcements.first())
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
      let start = ContinuousClock.now
      for number in 0..<100 { try writer.save("\(number)") }
      let last = try #require(writer.token)
      #expect(heard.first { (try? reader.history(after: self.token($0)))?.isEmpty == true } != nil)
      // At most five in a second, however long it takes.
      let count = heard.count, time = ContinuousClock.now - start
      let most = 3 + 5 * (time / .seconds(1))
      #expect(Double(count) <= most, "\(count) notifications in \(time)")
      #expect(try reader.history(after: last).isEmpty)
    }

    @Test func withoutHistoryThereIsNoToken() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url, nil)
      let reader = try HistoryProgram(url, [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(try Set(#require(heard.first()).keys) == [NSStoreUUIDKey, NSPersistentStoreURLKey])
    }

    @Test func behindAPoolerTheStoreIsLookedAt() throws {
      let url = try TestPlace.new()
      let writer = try HistoryProgram(url)
      let reader = try HistoryProgram(
        url, Self.announcing.merging([NSPostgreSQLConnectionPoolerOption: true]) { $1 })
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(heard.first() != nil)
    }

    /// A place whose sessions have a name of their own, since all tests of a process share the server.
    private func namedPlace() throws -> (url: URL, isListener: String) {
      let name = "listener-\(UUID().uuidString)"
      let url = try TestPlace.new().appending(queryItems: [URLQueryItem(name: "application_name", value: name)])
      // The listener's last statement was a look.
      let look = "query LIKE '%EXISTS (SELECT FROM \"_commit\" WHERE xid >= pg_snapshot_xmin%'"
      return (url, "application_name = '\(name)' AND pid <> pg_backend_pid() AND \(look)")
    }

    @Test func nothingIsLostWithAConnection() throws {
      let (url, isListener) = try namedPlace()
      let writer = try HistoryProgram(url), reader = try HistoryProgram(url, Self.announcing)
      let heard = Announcements(reader)
      try writer.save("a")
      #expect(heard.first() != nil)
      let bare = try BareConnection(url)
      for _ in 1...3 {
        let count = try bare.numbers(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE \(isListener)")
        #expect(count == [1])
        let before = writer.token
        try writer.save("b")
        #expect(heard.first { _ in (try? reader.history(after: before))?.count == 1 } != nil)
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
        #expect(heard.first { (try? reader.history(after: self.token($0)))?.isEmpty == true } != nil)
        #expect(try reader.history(after: token).isEmpty)
      }
    }

    @Test func theThreadsKeepNoStoreAlive() throws {
      weak var store: ServerStore?
      let (url, isListener) = try namedPlace()
      try autoreleasing {
        let program = try HistoryProgram(url, Self.announcing)
        try program.save("a")
        store = program.store
      }
      let bare = try BareConnection(url)
      try Patience.wait(for: "the end of the store and of its listener's session") {
        try store == nil && bare.numbers("SELECT count(*) FROM pg_stat_activity WHERE \(isListener)") == [0]
      }
    }

    private func autoreleasing(_ body: () throws -> Void) rethrows { try body() }
  }
#endif
