import CoreData
import Testing

/// Stores of an application's own classes: their metadata, and their files.
@Suite(.serialized) struct OwnStoreTests {
  /// Keeps its metadata in a property list, and no objects.
  private final class ListStore: NSAtomicStore, @unchecked Sendable {
    nonisolated(unsafe) var saves = 0

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
      let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
      return list as? [String: Any] ?? [:]
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
      try PropertyListSerialization.data(fromPropertyList: metadata ?? [:], format: .xml, options: 0).write(to: url)
    }

    override func load() throws {
      guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
      metadata = try Self.metadataForPersistentStore(with: url)
    }

    override func save() throws {
      saves += 1
      if let url { try Self.setMetadata(metadata, forPersistentStoreAt: url) }
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }
  }

  /// Counts the saves that it is asked for.
  private final class CountingStore: NSIncrementalStore, @unchecked Sendable {
    nonisolated(unsafe) var saves = 0

    override func loadMetadata() throws {
      metadata = [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: "Counting"]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
      if let save = request as? NSSaveChangesRequest, save.insertedObjects == nil { saves += 1 }
      return [NSManagedObject]()
    }
  }

  init() {
    NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, type: .init(rawValue: "List"))
    NSPersistentStoreCoordinator.registerStoreClass(CountingStore.self, forStoreType: "Counting")
  }

  private typealias Coordinator = NSPersistentStoreCoordinator
  private let list = NSPersistentStore.StoreType(rawValue: "List")

  @Test func anAtomicStoreWritesItsMetadataWithTheNextSave() throws {
    let url = try TestModel.temporaryFile("Store.list")
    let coordinator = Coordinator(managedObjectModel: TestModel.library())
    let store = try coordinator.addPersistentStore(type: list, at: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait { try context.save() }
    #expect(!FileManager.default.fileExists(atPath: url.path))
    store.metadata["mine"] = 1
    try context.performAndWait { try context.save() }
    #expect(try Coordinator.metadataForPersistentStore(type: list, at: url)["mine"] as? Int == 1)
    try Coordinator.setMetadata(["mine": 2], type: list, at: url)
    #expect(try Coordinator.metadataForPersistentStore(ofType: "List", at: url)["mine"] as? Int == 2)
    #expect(coordinator.setURL(url.appendingPathExtension("new"), for: store))
    store.metadata["mine"] = 3
    try context.performAndWait { try context.save() }
    let moved = try ListStore.metadataForPersistentStore(with: url.appendingPathExtension("new"))
    #expect(moved["mine"] as? Int == 3)
  }

  /// Each save writes all that there is, so saves of a few hundred objects each would take time that grows with the square.
  @Test func isWrittenOnceWhereAnotherStoreMovesIntoIt() throws {
    let url = try TestModel.temporaryFile("Store.list")
    let coordinator = try AtomicModel.coordinator(NSInMemoryStoreType, nil)
    try coordinator.inContext { context in
      for number in 0..<1_700 { _ = context.make("Item", ["int16": number]) }
      try context.save()
    }
    let moved = try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: url, type: list)
    // Once for the objects, and once for the metadata that come last.
    #expect(try #require(moved as? ListStore).saves <= 2)
    try coordinator.inContext { context in
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 1_700)
      _ = context.make("Item", ["int16": 1])
      try context.save()
    }
    #expect(try #require(moved as? ListStore).saves <= 3)
  }

  @Test func itsFileIsReplacedAndDestroyed() throws {
    let coordinator = Coordinator(managedObjectModel: TestModel.library())
    let source = try TestModel.temporaryFile("a"), place = try TestModel.temporaryFile("b")
    func code(_ body: () throws -> Void) -> Int? { FileStore.code(body) }
    #expect(
      code { try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: source, type: list) } == 260)
    try Coordinator.setMetadata(["mine": 1], type: list, at: source)
    for _ in 0..<2 {
      try coordinator.replacePersistentStore(at: place, withPersistentStoreFrom: source, type: list)
      #expect(try Coordinator.metadataForPersistentStore(type: list, at: place)["mine"] as? Int == 1)
      try Coordinator.setMetadata(["mine": 2], type: list, at: place)
    }
    try coordinator.destroyPersistentStore(at: place, type: list)
    try coordinator.destroyPersistentStore(at: place, type: list)
    #expect(try FileStore.files(beside: place).isEmpty)
    let folder = source.deletingLastPathComponent()
    #expect(code { try coordinator.destroyPersistentStore(at: folder, type: list) } == 256)
    #expect(code { try coordinator.destroyPersistentStore(at: source, ofType: "Counting") } == 134070)
    try coordinator.destroyPersistentStore(at: source, type: .inMemory)
    #expect(FileManager.default.fileExists(atPath: source.path))
  }

  @Test func anIncrementalStoreIsAskedToSaveItsMetadata() throws {
    let coordinator = Coordinator(managedObjectModel: TestModel.library())
    let url = URL(fileURLWithPath: "/dev/null")
    let added = try coordinator.addPersistentStore(ofType: "Counting", configurationName: nil, at: url)
    let store = try #require(added as? CountingStore)
    let context = TestModel.context(coordinator)
    for (value, saves) in [(nil, 0), (1, 1), (1, 1), (2, 2)] as [(Int?, Int)] {
      if let value { store.metadata["mine"] = value }
      try context.performAndWait { try context.save() }
      #expect(store.saves == saves)
    }
  }
}
