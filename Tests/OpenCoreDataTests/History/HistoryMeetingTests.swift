import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// History and remote changes where a store changes its file, its identifier, or its rows in other ways than by objects.
@Suite(.serialized) struct HistoryMeetingTests {
  private static var announcing: [AnyHashable: Any] {
    [NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
  }

  private func add(_ name: String, to coordinator: NSPersistentStoreCoordinator) throws {
    try coordinator.inContext { (context) throws in
      _ = context.make("Owner", ["name": name])
      try context.save()
    }
  }

  /// Waits for the next announcement that `coordinator` gets of what `body` does.
  private func announcement(
    _ coordinator: NSPersistentStoreCoordinator, _ body: () throws -> Void
  ) throws -> [AnyHashable: Any]? {
    nonisolated(unsafe) var userInfo: [AnyHashable: Any]?  // written before the signal
    let told = DispatchSemaphore(value: 0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { notification in
      userInfo = notification.userInfo
      told.signal()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try body()
    return told.wait(timeout: Patience.limit) == .success ? userInfo : nil
  }

  @Test func aTokenIsOfTheStoreAsItIsNow() throws {
    let coordinator = try HistoryModel.coordinator(TestModel.temporaryFile(), Self.announcing)
    let store = coordinator.persistentStores[0]
    store.identifier = "AN-OTHER"
    let told = try #require(try announcement(coordinator) { try add("a", to: coordinator) })
    #expect(told[NSStoreUUIDKey] as? String == "AN-OTHER")
    let token = try #require(told[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    try add("b", to: coordinator)
    try coordinator.inContext { (context) throws in
      #expect(try context.transactions(.fetchHistory(after: token)).count == 1)
    }
  }

  @Test func aMovedStoreIsWatchedWhereItIs() throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile()
    let elsewhere = try HistoryModel.coordinator(other, HistoryModel.tracking)
    let coordinator = try HistoryModel.coordinator(url, Self.announcing)
    #expect(coordinator.setURL(other, for: coordinator.persistentStores[0]))
    let told = try announcement(coordinator) { try add("a", to: elsewhere) }
    #expect(told?[NSPersistentStoreURLKey] as? URL == other)
  }

  /// As on a system that reports no changes of files.
  @Test func withoutEventsTheFileIsLookedAtAgainAndAgain() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try HistoryModel.coordinator(url, HistoryModel.tracking)
    let elsewhere = try HistoryModel.coordinator(url, HistoryModel.tracking)
    let store = try #require(coordinator.sqlStores.first)
    let watcher = RemoteChangeWatcher(path: url.path, events: nil)
    watcher.add(RemoteChangeWatcher.Listener(store, coordinator), id: ObjectIdentifier(store))
    Thread.sleep(forTimeInterval: 6)
    let told = try announcement(coordinator) { try add("a", to: elsewhere) }
    #expect(told != nil)
    #expect(watcher.remove(ObjectIdentifier(store)))
  }

  @Test func historyGoesOnInAStoreThatReplacesAnother() throws {
    let url = try TestModel.temporaryFile(), plain = try TestModel.temporaryFile()
    try add("plain", to: HistoryModel.coordinator(plain, nil))
    let coordinator = try HistoryModel.coordinator(url)
    try add("a", to: coordinator)
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: plain, ofType: NSSQLiteStoreType)
    try add("b", to: coordinator)
    try coordinator.inContext { (context) throws in
      #expect(try context.names("Owner") == ["b", "plain"])
      #expect(try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).count == 1)
    }
  }

  @Test func aBatchUpdateOfAnElementMarksItsComposite() throws {
    let address = NSCompositeAttributeDescription()
    address.name = "address"
    address.elements = [
      TestModel.attribute("city", .stringAttributeType), TestModel.attribute("street", .stringAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Owner", [address, TestModel.attribute("name", .stringAttributeType)])]
    let coordinator = try HistoryModel.coordinator(TestModel.temporaryFile(), model: model)
    try add("a", to: coordinator)
    try coordinator.inContext { (context) throws in
      let request = NSBatchUpdateRequest(entityName: "Owner")
      request.propertiesToUpdate = ["address.city": "Rome"]
      _ = try context.execute(request)
      let last = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).last
      #expect(last?.changes?.first?.updatedProperties?.map(\.name) == ["address"])
    }
  }

  /// A key that was reserved, and an object that was inserted with it.
  @Test func anObjectWithAReservedKeyIsInserted() throws {
    let coordinator = try HistoryModel.coordinator(TestModel.temporaryFile())
    try coordinator.inContext { (context) throws in
      let owner = context.make("Owner", ["name": "a"])
      try context.obtainPermanentIDs(for: [owner])
      #expect(try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).isEmpty)
      let id = owner.objectID
      try context.save()
      let changes = try context.transactions(.fetchHistory(after: nil as NSPersistentHistoryToken?)).flatMap {
        $0.changes ?? []
      }
      #expect(changes.map(\.changeType) == [.insert] && changes.map(\.changedObjectID) == [id])
    }
  }
}
