import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Disks without room for a migration: the error says so, the store is as it was, and there is a way on when there is room.
///
/// A limit on the size of files stands in for a full disk. It belongs to the whole process, so each is one of its own.
@Suite struct MigrationFullDiskTests {
  private static let outOfSpace = CocoaError.Code.fileWriteOutOfSpace.rawValue
  private static let modes = ["WAL", "DELETE"]

  static func limit(_ bytes: UInt) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  private static func model(_ more: String = "") throws -> NSManagedObjectModel {
    let model = try MigrationFixture.model(
      "<entity name='A'><attribute name='n' attributeType='Integer 64' optional='YES'/>"
        + "<attribute name='text' attributeType='String' optional='YES'/>"
        + "<attribute name='data' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/>"
        + "\(more)</entity>")
    model.freeze()
    return model
  }

  private static let value = "<attribute name='x' attributeType='Integer 32' defaultValueString='7'/>"

  /// Some hundred KB in the file, and two values beside it.
  private static func make(_ mode: String) throws -> MigratedStore {
    let store = MigratedStore(
      url: try TestModel.temporaryFile(), migration: InferredMigration(from: try model(), to: try model(value)))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.migration.source)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: options(mode))
    let text = String(repeating: "text ", count: 60)
    try coordinator.inContext { context in
      for number in 0..<2000 { _ = context.make("A", ["n": number, "text": text]) }
      for number in 0..<2 { _ = context.make("A", ["n": -1, "data": Data(repeating: UInt8(number), count: 120_000)]) }
      try context.save()
    }
    try coordinator.remove(opened)
    return store
  }

  private static func options(_ mode: String) -> [AnyHashable: Any] {
    [NSSQLitePragmasOption: ["journal_mode": mode]]
  }

  private static func files(_ store: MigratedStore) throws -> [String] {
    let manager = FileManager.default, folder = store.url.deletingLastPathComponent()
    let values = try manager.contentsOfDirectory(atPath: ExternalStorage(storePath: store.url.path).folder)
    // What SQLite has beside a store comes and goes.
    let own = try manager.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix("Store.sqlite-") }
    return own.sorted() + values.sorted()
  }

  /// In the mode that the store has.
  private static func image(_ store: MigratedStore, _ mode: String) throws -> StoreImage {
    try StoreImage(store.url, store.migration.source, options: options(mode))
  }

  /// The error of `body` with that much room; the store is what it was.
  private static func failure(
    _ store: MigratedStore, _ mode: String, room: UInt, _ body: () throws -> Void
  ) throws -> NSError {
    let before = try image(store, mode), files = try files(store)
    limit(room)
    let error = #expect(throws: NSError.self, "\(room)") { try body() }
    limit(.max)
    let same = InferredMigration(from: store.migration.source, to: store.migration.source)
    #expect(try image(store, mode).differences(from: before, by: same) == [])
    #expect(try StoreCheck.errors(store.url, model: store.migration.source) == [])
    #expect(try self.files(store) == files, "\(room)")
    return try #require(error)
  }

  // MARK: In place

  @Test(arguments: modes) func inPlaceWhenTheStoreIsOpened(mode: String) async throws {
    await #expect(processExitsWith: .success) { [mode = mode as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try Self.make(mode)
      let before = try Self.image(store, mode)
      let options = Self.options(mode).merging(
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
      ) { $1 }
      func open() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.migration.destination)
        let opened = try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: options)
        try coordinator.remove(opened)
      }
      for room in [40_000, 100_000, 400_000] as [UInt] {
        let error = try Self.failure(store, mode, room: room, open)
        #expect(error.code == Self.outOfSpace && error.domain == NSCocoaErrorDomain, "\(room): \(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == store.url.path)
      }
      try open()
      #expect(
        try StoreImage(store.url, store.migration.destination).differences(from: before, by: store.migration) == [])
      #expect(try StoreCheck.errors(store.url) == [])
    }
  }

  // MARK: With a mapping model

  @Test(arguments: modes) func withAMappingModel(mode: String) async throws {
    await #expect(processExitsWith: .success) { [mode = mode as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try Self.make(mode), migration = store.migration
      let place = MigrationPlace(store.url, NSSQLiteStoreType, Self.options(mode))
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: migration.source, destinationModel: migration.destination)
      func migrate() throws {
        try StoreRemaking.migrate(place, from: migration.source, to: migration.destination, mapping)
      }
      // While the new store is made, while its values are written, and while it is filled.
      for room in [0, 40_000, 100_000, 400_000] as [UInt] {
        let error = try Self.failure(store, mode, room: room, migrate)
        #expect(error.domain == NSCocoaErrorDomain)
        // To lock a log takes the file of its index.
        if room == 0, mode == "WAL" {
          #expect(error.code == Self.outOfSpace, "\(error)")
          continue
        }
        #expect(error.code == 134160, "\(room): \(error)")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Self.outOfSpace, "\(room): \(error)")
      }
      try migrate()
      try MigrationStores.open(store.url, migration.destination) { context in
        let all = try context.all("A")
        #expect(all.count == 2002 && all.allSatisfy { $0.number("x") == 7 })
        #expect(all.filter { ($0.value(forKey: "data") as? Data)?.count == 120_000 }.count == 2)
      }
      #expect(try StoreCheck.errors(store.url) == [])
    }
  }

  /// When the new store is complete and there is no room for its contents in the old one's file.
  @Test(arguments: modes) func whileTheContentsAreExchanged(mode: String) async throws {
    await #expect(processExitsWith: .success) { [mode = mode as String] in
      signal(SIGXFSZ, SIG_IGN)
      let old = try Self.make(mode)
      // Its values are moved.
      func makeNew() throws -> MigratedStore {
        let new = try Self.make(mode)
        try new.inPlace(options: Self.options(mode)).run()
        return new
      }
      for room in [0, 40_000, 200_000] as [UInt] {
        let new = try makeNew()
        let error = try Self.failure(old, mode, room: room) {
          let exchange = try StoreExchange(StoreFiles(old.url), options: StoreOptions(Self.options(mode)))
          try exchange.takeContents(of: new.url)
        }
        #expect(error.code == Self.outOfSpace, "\(room): \(error)")
      }
      let new = try makeNew(), before = try StoreImage(new.url, new.migration.destination)
      let exchange = try StoreExchange(StoreFiles(old.url), options: StoreOptions(Self.options(mode)))
      try exchange.takeContents(of: new.url)
      let same = InferredMigration(from: new.migration.destination, to: new.migration.destination)
      #expect(try StoreImage(old.url, new.migration.destination).differences(from: before, by: same) == [])
      #expect(try StoreCheck.errors(old.url) == [])
    }
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func aStoreThatIsOneFile(type: String) async throws {
    await #expect(processExitsWith: .success) { [type = type as String] in
      signal(SIGXFSZ, SIG_IGN)
      let (before, after) = (try Self.model(), try Self.model(Self.value)), url = try TestModel.temporaryFile()
      try MigrationStores.open(url, before, type) { context in
        for number in 0..<500 { _ = context.make("A", ["n": number]) }
        try context.save()
      }
      let bytes = try Data(contentsOf: url)
      func open() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: after)
        try coordinator.addPersistentStore(
          ofType: type, configurationName: nil, at: url,
          options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
      }
      for room in [0, 5000] as [UInt] {
        Self.limit(room)
        let error = #expect(throws: NSError.self) { try open() }
        Self.limit(.max)
        #expect(error?.code == Self.outOfSpace, "\(room): \(String(describing: error))")
        let now = try Data(contentsOf: url)
        #expect(now == bytes)
        let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        #expect(files == ["Store.sqlite"])
      }
      try open()
    }
  }
}
