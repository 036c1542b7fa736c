import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that others write while a mapping model is carried out: no change of theirs is lost.
@Suite struct MigrationLockTests {
  /// Does what the test wants in the middle of a migration: when all objects are made.
  final class MeddlingPolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try (manager.userInfo?["body"] as? () throws -> Void)?()
    }
  }

  private static func model(_ attribute: String = "") throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      "<entity name='A'><attribute name='n' attributeType='Integer 64' optional='YES'/>"
        + "<attribute name='data' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/>"
        + "\(attribute)</entity>")
  }

  /// A store that is remade in its place.
  struct Remade {
    let place: MigrationPlace
    let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)

    init(_ type: String = NSSQLiteStoreType, objects: Int = 10, pragmas: [String: String] = [:]) throws {
      let options: [AnyHashable: Any] =
        type == NSSQLiteStoreType
        ? [NSSQLitePragmasOption: pragmas, NSPersistentStoreTimeoutOption: NSNumber(value: Patience.seconds)] : [:]
      place = MigrationPlace(try TestModel.temporaryFile("Old.sqlite"), type, options)
      models = (try model(), try model("<attribute name='x' attributeType='String' optional='YES'/>"))
      models.source.freeze()
      models.destination.freeze()
      try open(models.source) { context in
        for number in 0..<objects { _ = context.make("A", ["n": number]) }
        try context.save()
      }
    }

    func open<Result>(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result
    {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: place.type, configurationName: nil, at: place.url, options: place.options)
      defer { try? coordinator.remove(store) }
      let context = TestModel.context(coordinator)
      return try context.performAndWait { try body(context) }
    }

    func migrate(_ body: (() throws -> Void)? = nil) throws {
      NSEntityMigrationPolicy.register(MeddlingPolicy.self, forName: "MeddlingPolicyOfTests")
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: models.source, destinationModel: models.destination)
      mapping.entityMappings[0].entityMigrationPolicyClassName = "MeddlingPolicyOfTests"
      let manager = NSMigrationManager(sourceModel: models.source, destinationModel: models.destination)
      if let body { manager.userInfo = ["body": body] }
      try StoreRemaking.migrate(place, from: models.source, to: models.destination, mapping, by: manager)
    }

    /// What the migrated store has.
    func numbers() throws -> [Int] {
      try open(models.destination) { try $0.all("A").compactMap { $0.number("n") }.sorted() }
    }

    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.url.deletingLastPathComponent().path).sorted()
    }
  }

  private static let modes = ["WAL", "DELETE"]

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there"), arguments: modes) func anotherProcessCannotWrite(
    mode: String
  ) throws {
    let store = try Remade(pragmas: ["journal_mode": mode])
    try store.migrate {
      // It may read.
      #expect(try Shell.sql(store.place.url, "SELECT COUNT(*) FROM ZA") == ["10"])
      // SQLITE_BUSY.
      try Shell.run(Shell.sqlite, ["-batch", store.place.url.path, "UPDATE ZA SET ZN = 99"], expecting: 5)
    }
    #expect(try store.numbers() == Array(0..<10))
    #expect(try StoreCheck.errors(store.place.url) == [])
    // And write again now.
    try Shell.sql(store.place.url, "UPDATE ZA SET ZN = 99")
    #expect(try store.numbers() == Array(repeating: 99, count: 10))
  }

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there"), arguments: modes) func whoWaitsWritesIntoTheNewStore(
    mode: String
  ) throws {
    let store = try Remade(pragmas: ["journal_mode": mode])
    let process = Process()
    process.executableURL = Shell.sqlite
    process.arguments = ["-batch", "-cmd", ".timeout 900000", store.place.url.path, "UPDATE ZA SET ZN = ZN + 100"]
    try store.migrate { try process.run() }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try store.numbers() == Array(100..<110))
  }

  /// Counts up all the time, also at the moment of the exchange.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there"), arguments: modes) func noCountIsLost(mode: String) throws
  {
    let store = try Remade(pragmas: ["journal_mode": mode])
    let counter = Process()
    let count = 60
    counter.executableURL = URL(fileURLWithPath: "/bin/sh")
    counter.arguments = [
      "-c",
      "for i in $(seq \(count)); do \"$1\" -batch -cmd '.timeout 900000' \"$2\" 'UPDATE ZA SET ZN = ZN + 1' || exit 1; done",
      "counter", try #require(Shell.sqlite).path, store.place.url.path,
    ]
    try counter.run()
    try store.migrate { usleep(50_000) }
    counter.waitUntilExit()
    #expect(counter.terminationStatus == 0)
    #expect(try store.numbers() == Array(count..<(count + 10)))
    #expect(try StoreCheck.errors(store.place.url) == [])
  }

  @Test func aStoreThatStaysLockedIsNotMigrated() throws {
    let store = try Remade()
    let place = MigrationPlace(
      store.place.url, store.place.type, [NSPersistentStoreTimeoutOption: NSNumber(value: 0.05)])
    let database = try PlainDatabase(store.place.url)
    try database.rows("BEGIN IMMEDIATE")
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: store.models.source, destinationModel: store.models.destination)
    let error = try #require(throws: NSError.self) {
      try StoreRemaking.migrate(place, from: store.models.source, to: store.models.destination, mapping)
    }
    #expect(error.code == 134090)
    try database.rows("COMMIT")
    #expect(try store.open(store.models.source) { try $0.all("A").count } == 10)
  }

  /// Several that open the store at once: one migrates it, and the others find it done.
  @Test(arguments: modes) func onlyOneMigrates(mode: String) throws {
    let store = try Remade(objects: 700, pragmas: ["journal_mode": mode])
    nonisolated(unsafe) let unsafeStore = store
    Soak.threads(3) { _ in try unsafeStore.migrate() }
    #expect(try store.numbers() == Array(0..<700))
    #expect(try StoreCheck.errors(store.place.url) == [])
    #expect(try store.files().filter { $0.contains("migrationdestination") } == [])
  }

  /// What is not the framework's stays, and what is the file's; external values follow.
  @Test func theFileStaysTheSame() throws {
    let store = try Remade()
    let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try store.open(store.models.source) { context in
      for object in try context.all("A") where (object.number("n") ?? 0) < 3 { object.setValue(large, forKey: "data") }
      try context.save()
    }
    let database = try PlainDatabase(store.place.url)
    for statement in [
      "CREATE TABLE mine (a, b)", "INSERT INTO mine VALUES (1, 'two')", "CREATE INDEX mine_a ON mine (a)",
      "PRAGMA user_version = 7",
    ] { try database.rows(statement) }
    let support = ExternalStorage(storePath: store.place.url.path).folder
    let values = try FileManager.default.contentsOfDirectory(atPath: support)
    #expect(values.count == 3)
    try store.migrate()
    #expect(try database.rows("SELECT * FROM mine") == [[.integer(1), .text(Data("two".utf8))]])
    #expect(try database.rows("PRAGMA user_version") == [[.integer(7)]])
    let level = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.place.url)
    #expect(level["_NSAutoVacuumLevel"] as? String == "2")
    let new = try FileManager.default.contentsOfDirectory(atPath: support)
    #expect(new.count == 3 && Set(new).isDisjoint(with: values))
    try store.open(store.models.destination) { context in
      try #expect(context.all("A").filter { $0.value(forKey: "data") as? Data == large }.count == 3)
    }
    #expect(try StoreCheck.errors(store.place.url) == [])
    let left = ["Old.sqlite", "Old.sqlite-shm", "Old.sqlite-wal", ".Old_SUPPORT"]
    #expect(try Set(store.files()).isSubset(of: left))
  }

  /// A store that a manager adds to is locked as well.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func aStoreThatIsAddedToCannotBeWritten() throws {
    let store = try Remade()
    let added = store.place.url.deletingLastPathComponent().appendingPathComponent("Added.sqlite")
    try MigrationStores.open(added, store.models.destination) {
      _ = $0.make("A", ["n": 50])
      try $0.save()
    }
    NSEntityMigrationPolicy.register(MeddlingPolicy.self, forName: "MeddlingPolicyOfTests")
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: store.models.source, destinationModel: store.models.destination)
    mapping.entityMappings[0].entityMigrationPolicyClassName = "MeddlingPolicyOfTests"
    let manager = NSMigrationManager(sourceModel: store.models.source, destinationModel: store.models.destination)
    let body: () throws -> Void = {
      try Shell.run(Shell.sqlite, ["-batch", added.path, "UPDATE ZA SET ZN = 99"], expecting: 5)
    }
    manager.userInfo = ["body": body]
    try manager.migrateStore(
      from: store.place.url, type: .sqlite, mapping: mapping, to: added, type: .sqlite)
    try MigrationStores.open(added, store.models.destination) { context in
      try #expect(context.all("A").compactMap { $0.number("n") }.sorted() == Array(0..<10) + [50])
    }
  }

  // MARK: Stores that are one file

  private static let fileTypes = [NSXMLStoreType, NSBinaryStoreType]

  /// Who saves in the middle has put another file there: that is migrated then.
  @Test(arguments: fileTypes) func aFileThatIsSavedMeanwhile(type: String) throws {
    let store = try Remade(type)
    var saves = 0
    try store.migrate {
      guard saves < 2 else { return }
      saves += 1
      try store.open(store.models.source) { context in
        _ = context.make("A", ["n": 10 * saves])
        try context.save()
      }
    }
    #expect(saves == 2)
    #expect(try store.numbers() == Array(0..<10) + [10, 20])
    #expect(try store.files() == ["Old.sqlite"])
  }

  /// The same by what can be inferred, with somebody who saves all the time.
  @Test(arguments: fileTypes) func aFileThatIsSavedAllTheTime(type: String) throws {
    let store = try Remade(type)
    nonisolated(unsafe) let unsafeStore = store
    nonisolated(unsafe) var saved = 0
    let group = DispatchGroup(), first = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      group.enter()
      first.signal()
      // Until it is of the new model.
      for number in 0... {
        let isSaved: Void? = try? unsafeStore.open(unsafeStore.models.source) { context in
          _ = context.make("A", ["n": 100 + number])
          try context.save()
        }
        if isSaved != nil { saved += 1 }
        let metadata = try? unsafeStore.place.metadata()
        let isOld = metadata.map {
          unsafeStore.models.source.isConfiguration(withName: nil, compatibleWithStoreMetadata: $0)
        }
        if isOld == false { break }
        // At longer and longer intervals: the migration begins anew each time, but not for ever.
        usleep(UInt32(min(2_000_000, 10_000 * pow(1.5, Double(number)))))
      }
      group.leave()
    }
    first.wait()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.models.destination)
    let opened = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: store.place.url,
      options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
    try coordinator.remove(opened)
    #expect(group.wait(timeout: Patience.limit) == .success)
    #expect(try store.numbers().count == 10 + saved)
  }
}
