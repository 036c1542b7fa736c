import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Remote change notifications: of this process's commits and of others'.
@Suite(.serialized) struct RemoteChangeTests {
  /// What a coordinator was told, one after the other.
  private final class Announcements: @unchecked Sendable {  // everything belongs to `condition`
    private let condition = NSCondition()
    private var received: [[AnyHashable: Any]] = []
    private var observer: (any NSObjectProtocol)?

    init(_ coordinator: NSPersistentStoreCoordinator) {
      observer = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
      ) { [weak self] notification in
        guard let self else { return }
        condition.withLock {
          received.append(notification.userInfo ?? [:])
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

    var isEmpty: Bool { condition.withLock { received.isEmpty } }
  }

  private static var options: [AnyHashable: Any] {
    [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
  }

  private static func save(_ context: NSManagedObjectContext, _ name: String = "new") throws {
    try context.performAndWait {
      _ = context.make("Owner", ["name": name])
      try context.save()
    }
  }

  private func token(_ userInfo: [AnyHashable: Any]) -> NSPersistentHistoryToken? {
    userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
  }

  @Test func everyCoordinatorOfTheFileIsTold() throws {
    let url = try TestModel.temporaryFile()
    let writer = try HistoryModel.coordinator(url, Self.options)
    let reader = try HistoryModel.coordinator(url, Self.options)
    let other = try HistoryModel.coordinator(try TestModel.temporaryFile(), Self.options)
    let silent = try HistoryModel.coordinator(url, HistoryModel.tracking)
    let heard = [writer, reader].map(Announcements.init)
    let unheard = [other, silent].map(Announcements.init)
    for _ in 1...3 {
      try Self.save(TestModel.context(writer))
      let current = try #require(writer.currentPersistentHistoryToken(fromStores: nil))
      for announcements in heard {
        let userInfo = try #require(announcements.first { token($0) == current })
        #expect(userInfo[NSStoreUUIDKey] as? String == writer.persistentStores[0].identifier)
        #expect((userInfo[NSPersistentStoreURLKey] as? URL)?.path == url.path)
      }
    }
    // The writer need not have the option itself.
    try Self.save(TestModel.context(silent))
    let current = try #require(writer.currentPersistentHistoryToken(fromStores: nil))
    for announcements in heard { #expect(announcements.first { token($0) == current } != nil) }
    for announcements in unheard { #expect(announcements.isEmpty) }
  }

  @Test func batchUpdatesAreAnnouncedToo() throws {
    let coordinator = try HistoryModel.coordinator(URL(fileURLWithPath: "/dev/null"), Self.options)
    let announcements = Announcements(coordinator)
    let context = TestModel.context(coordinator)
    try Self.save(context)
    #expect(announcements.first { token($0)?.transactions.values.first == 1 } != nil)
    try context.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Owner")
      request.propertiesToUpdate = ["name": "X"]
      _ = try context.execute(request)
    }
    #expect(announcements.first { token($0)?.transactions.values.first == 2 } != nil)
  }

  @Test func withoutHistoryThereIsNoToken() throws {
    let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)]
    let coordinator = try HistoryModel.coordinator(try TestModel.temporaryFile(), options)
    let announcements = Announcements(coordinator)
    try Self.save(TestModel.context(coordinator))
    let userInfo = try #require(announcements.first())
    #expect(Set(userInfo.keys) == [NSStoreUUIDKey, NSPersistentStoreURLKey])
  }

  @Test func anotherProcessSavesAndThisOneReadsItsHistory() async throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try HistoryModel.coordinator(url, Self.options)
    let announcements = Announcements(coordinator)
    let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    let path = url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let context = TestModel.context(
        try HistoryModel.coordinator(URL(fileURLWithPath: path), HistoryModel.tracking))
      context.transactionAuthor = "other process"
      for number in 1...3 { try Self.save(context, "from outside \(number)") }
    }
    let userInfo = try #require(announcements.first { self.token($0)?.transactions.values.first == 3 })
    #expect(self.token(userInfo) == coordinator.currentPersistentHistoryToken(fromStores: nil))
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let new = try context.transactions(.fetchHistory(after: token))
      #expect(new.map(\.author) == ["other process", "other process", "other process"])
      let names = try new.flatMap { $0.changes ?? [] }.map {
        try context.existingObject(with: $0.changedObjectID).value(forKey: "name") as? String
      }
      #expect(names == ["from outside 1", "from outside 2", "from outside 3"])
    }
  }

  /// A log file that goes and comes back is watched as well, and so is a database without one.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there"), arguments: ["wal", "delete"])
  func programsThatKnowNothingOfCoreDataAreNoticed(journal: String) throws {
    let url = try TestModel.temporaryFile()
    let options: [AnyHashable: Any] = [
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true, NSSQLitePragmasOption: ["journal_mode": journal],
    ]
    let coordinator = try HistoryModel.coordinator(url, options)
    let context = TestModel.context(coordinator)
    let announcements = Announcements(coordinator)
    try Self.save(context)
    #expect(announcements.first() != nil)
    for _ in 0..<3 {
      try Shell.sql(url, "UPDATE ZOWNER SET ZNAME = ZNAME || 'x'")
      #expect(announcements.first() != nil)
    }
  }

  @Test func aStoreThatIsRemovedIsNotWatchedAnyMore() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try HistoryModel.coordinator(url, Self.options)
    let other = try HistoryModel.coordinator(url, Self.options)
    let gone = Announcements(coordinator), there = Announcements(other)
    try coordinator.removeAll()
    try Self.save(TestModel.context(other))
    #expect(there.first() != nil)
    #expect(gone.isEmpty)
    // The last connection that closes takes the log with it: none was forgotten.
    try other.removeAll()
    #expect(Soak.wait { !FileManager.default.fileExists(atPath: url.path + "-wal") })
  }

  @Test func anObserverMayRemoveTheStore() throws {
    let coordinator = try HistoryModel.coordinator(try TestModel.temporaryFile(), Self.options)
    let done = DispatchSemaphore(value: 0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { _ in
      try? coordinator.removeAll()
      done.signal()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try Self.save(TestModel.context(coordinator))
    #expect(done.wait(timeout: Patience.limit) == .success)
    #expect(coordinator.persistentStores.isEmpty)
  }
}
