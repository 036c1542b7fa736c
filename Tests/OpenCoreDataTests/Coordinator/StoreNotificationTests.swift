import CoreData
import Testing

/// What coordinators tell of their stores.
@Suite struct StoreNotificationTests {
  private final class Recorder {
    struct Told: Equatable {
      let name: Notification.Name
      let stores: [String: [NSPersistentStore]]
      /// How many stores the coordinator had.
      let count: Int
    }

    private(set) var told: [Told] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ coordinator: NSPersistentStoreCoordinator) {
      nonisolated(unsafe) let recorder = Weak(self)  // the test adds and removes stores on one thread
      tokens = [
        Notification.Name.NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorStoresDidChange,
      ].map { name in
        NotificationCenter.default.addObserver(forName: name, object: coordinator, queue: nil) { notification in
          let stores = notification.userInfo as? [String: [NSPersistentStore]] ?? [:]
          let count = (notification.object as? NSPersistentStoreCoordinator)?.persistentStores.count ?? -1
          recorder.object?.told.append(Told(name: name, stores: stores, count: count))
        }
      }
    }

    /// Records what one store tells of itself.
    func observe(_ store: NSPersistentStore) {
      nonisolated(unsafe) let recorder = Weak(self)  // as above
      let name = Notification.Name.NSPersistentStoreCoordinatorWillRemoveStore
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: store, queue: nil) { notification in
          let store = notification.object as? NSPersistentStore
          let stores = notification.userInfo as? [String: [NSPersistentStore]] ?? [:]
          let count = store?.persistentStoreCoordinator?.persistentStores.count ?? -1
          recorder.object?.told.append(Told(name: name, stores: stores, count: count))
        })
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private final class Weak {
      weak var object: Recorder?
      init(_ object: Recorder) { self.object = object }
    }

    func take() -> [Told] {
      defer { told = [] }
      return told
    }
  }

  @Test func addingAndRemoving() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    let recorder = Recorder(coordinator)
    let store = try TestStore.sqlite.add(to: coordinator, url: try TestModel.temporaryFile())
    let added = [NSAddedPersistentStoresKey: [store]]
    #expect(recorder.take() == [.init(name: .NSPersistentStoreCoordinatorStoresDidChange, stores: added, count: 1)])
    recorder.observe(store)
    #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store.url)
    }
    #expect(recorder.take().isEmpty)
    try coordinator.remove(store)
    let removed = [NSRemovedPersistentStoresKey: [store]]
    #expect(
      recorder.take() == [
        .init(name: .NSPersistentStoreCoordinatorWillRemoveStore, stores: removed, count: 1),
        .init(name: .NSPersistentStoreCoordinatorStoresDidChange, stores: removed, count: 0),
      ])
    #expect(throws: NSError.self) { try coordinator.remove(store) }
    #expect(recorder.take().isEmpty)
  }

  @Test func migrating() throws {
    let coordinator = try Society.coordinator(url: try TestModel.temporaryFile())
    let old = coordinator.persistentStores[0]
    let context = TestModel.context(coordinator)
    context.performAndWait { _ = context.make("Person", ["name": "unsaved"]) }
    let recorder = Recorder(coordinator)
    // Observers may save what is to be in the copy.
    nonisolated(unsafe) var saved = false
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresWillChange, object: coordinator, queue: nil
    ) { _ in saved = (try? context.performAndWait { try context.save() }) != nil || saved }
    let copy = try coordinator.migratePersistentStore(
      old, to: try TestModel.temporaryFile("Copy.sqlite"), withType: NSSQLiteStoreType)
    NotificationCenter.default.removeObserver(token)
    var told = recorder.take()
    #expect(
      saved && told.count == 2 && told.first?.stores == [NSRemovedPersistentStoresKey: [old]])
    let both = [NSAddedPersistentStoresKey: [copy], NSRemovedPersistentStoresKey: [old]]
    #expect(told.last == .init(name: .NSPersistentStoreCoordinatorStoresDidChange, stores: both, count: 1))
    #expect(try coordinator.inContext { try $0.names("Person") } == ["unsaved"])
    // Another type is another store.
    let memory = try coordinator.migratePersistentStore(
      copy, to: URL(fileURLWithPath: "/dev/null"), withType: NSInMemoryStoreType)
    told = recorder.take()
    #expect(told.last?.stores[NSUUIDChangedPersistentStoresKey] == [copy, memory])
  }
}
