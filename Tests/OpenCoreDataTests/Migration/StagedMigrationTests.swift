import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Migrations by stages.
@Suite struct StagedMigrationTests {
  private let folder: URL
  private let place: MigrationPlace
  private let versions: [NSManagedObjectModel]
  private let log = NSMutableArray()

  init() throws {
    folder = try MigrationFixture.temporaryFolder()
    place = MigrationPlace(folder.appendingPathComponent("Store.sqlite"), NSSQLiteStoreType, nil)
    // Each version has one more attribute.
    versions = try (0..<6).map { version in
      let attributes = (0...version).map { "<attribute name='v\($0)' attributeType='String' optional='YES'/>" }
      return try MigrationFixture.model("<entity name='A'>\(attributes.joined())</entity>")
    }
  }

  private func sum(_ version: Int) -> String { versions[version].versionChecksum }

  private func reference(_ version: Int) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: versions[version], versionChecksum: sum(version))
  }

  /// Notes what it sees, and writes a value in either handler.
  private func custom(_ from: Int, _ to: Int) -> NSCustomMigrationStage {
    let stage = NSCustomMigrationStage(migratingFrom: reference(from), to: reference(to))
    let log = log
    func handler(_ name: String, _ key: String) -> (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void {
      { manager, _ in
        let container = try #require(manager.container)
        let context = container.newBackgroundContext()
        try context.performAndWait {
          let object = try #require(context.all("A").first)
          log.add("\(name) \(object.entity.attributesByName.count - 1)")
          object.setValue("\(name) \(from)", forKey: key)
          try context.save()
        }
      }
    }
    stage.willMigrateHandler = handler("will", "v\(from)")
    stage.didMigrateHandler = handler("did", "v\(to)")
    return stage
  }

  private func make(_ version: Int) throws {
    try MigrationStores.open(place.url, versions[version]) { context in
      _ = context.make("A", ["v0": "first"])
      try context.save()
    }
  }

  private func run(_ stages: [NSMigrationStage], to version: Int) throws {
    let manager = NSStagedMigrationManager(stages)
    defer { #expect(manager.container == nil) }
    try manager.migrate(
      place, to: versions[version], model: { checksum in versions.first { $0.versionChecksum == checksum } }
    ) { url, source, destination in
      log.add("step \(number(source)) \(number(destination))")
      #expect(url == place.url)
      try StoreRemaking.migrate(
        place, from: source, to: destination,
        .inferredMappingModel(forSourceModel: source, destinationModel: destination))
    }
  }

  private func number(_ model: NSManagedObjectModel) -> Int { versions.firstIndex { $0 === model } ?? -1 }

  private var logged: [String] { log.compactMap { $0 as? String } }

  private func values(_ version: Int) throws -> [String?] {
    try MigrationStores.open(place.url, versions[version]) { context in
      let object = try #require(context.all("A").first)
      return (0...version).map { object.text("v\($0)") }
    }
  }

  @Test func lightweightAndCustomStages() throws {
    try make(0)
    let stages = [
      NSLightweightMigrationStage([sum(0), sum(1)]), NSLightweightMigrationStage([sum(1), sum(2)]), custom(2, 3),
      NSLightweightMigrationStage([sum(4), sum(5)]),
    ]
    try run(stages, to: 5)
    #expect(logged == ["step 0 2", "will 2", "step 2 3", "did 3", "step 3 5"])
    #expect(try values(5) == ["first", nil, "will 2", "did 2", nil, nil])
    // There is nothing to do any more.
    log.removeAllObjects()
    try run(stages, to: 5)
    #expect(logged.isEmpty)
    #expect(try MigrationPlace(place.url, place.type, nil).metadata()[StageRun.dueKey] == nil)
  }

  // MARK: When a store is opened

  /// Opens the store with the last version and closes it again.
  private func open(_ stages: [NSMigrationStage]) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[5])
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: place.url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
      ])
    try coordinator.remove(store)
  }

  @Test func stagesOfAStoreThatIsOpened() throws {
    try make(0)
    let stages = [
      NSLightweightMigrationStage([sum(0), sum(1), sum(2)]), custom(2, 3),
      NSLightweightMigrationStage([sum(4), sum(5)]),
    ]
    try open(stages)
    #expect(logged == ["will 2", "did 3"])
    #expect(try values(5) == ["first", nil, "will 2", "did 2", nil, nil])
    try open(stages)
    #expect(logged.count == 2)
  }

  @Test func aHandlerThatFailedIsCalledAgainWhenTheStoreIsOpened() throws {
    try make(4)
    let stage = custom(4, 5), did = stage.didMigrateHandler
    stage.didMigrateHandler = { _, _ in throw CocoaError(.fileReadUnknown) }
    #expect(throws: (any Error).self) { try open([stage]) }
    #expect(logged == ["will 4"])
    stage.didMigrateHandler = did
    try open([stage])
    #expect(logged == ["will 4", "did 5"])
    #expect(try values(5).last == "did 4")
  }

  @Test func whatIsNoMigrationManagerIsRefused() throws {
    try make(0)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[5])
    let error = try #require(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: place.url,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSPersistentStoreStagedMigrationManagerOptionKey: "stages",
        ])
    }
    #expect(error.code == 134080 && error.localizedDescription.contains("String"))
  }

  // MARK: By call

  @Test func aStoreInTheMiddleAndATargetBeforeTheEnd() throws {
    try make(1)
    let stages = [NSLightweightMigrationStage([sum(0), sum(1), sum(2)]), custom(2, 3), custom(3, 4), custom(4, 5)]
    try run(stages, to: 4)
    #expect(logged == ["step 1 2", "will 2", "step 2 3", "did 3", "will 3", "step 3 4", "did 4"])
    #expect(try values(4) == ["first", nil, "will 2", "will 3", "did 3"])
  }

  @Test func whatCannotBe() throws {
    try make(2)
    func code(_ stages: [NSMigrationStage], to version: Int) throws -> Int {
      try #require(throws: NSError.self) { try run(stages, to: version) }.code
    }
    #expect(try code([NSLightweightMigrationStage([sum(0), sum(1), sum(2)])], to: 1) == 134506)
    #expect(try code([NSLightweightMigrationStage([sum(0), sum(1)])], to: 1) == 134504)
    #expect(try code([NSLightweightMigrationStage([sum(1), sum(2)])], to: 3) == 134504)
    let missing = NSManagedObjectModelReference(model: versions[0], versionChecksum: sum(3))
    let stage = NSCustomMigrationStage(migratingFrom: reference(2), to: missing)
    #expect(try code([stage, NSLightweightMigrationStage([sum(3), sum(4)])], to: 4) == 134504)
    #expect(logged.isEmpty)
    #expect(try values(2) == ["first", nil, nil])
  }

  struct Broken: Error {}

  @Test func aHandlerThatThrows() throws {
    try make(0)
    let stage = custom(0, 1)
    stage.label = "the first"
    let will = stage.willMigrateHandler, did = stage.didMigrateHandler
    stage.willMigrateHandler = { _, _ in throw Broken() }
    let error = try #require(throws: NSError.self) { try run([stage], to: 1) }
    #expect(error.code == 134110 && error.localizedDescription.contains("the first"))
    #expect(error.localizedDescription.contains("willMigrateHandler") && error.userInfo[NSUnderlyingErrorKey] != nil)
    #expect(try values(0) == ["first"] && logged.isEmpty)
    // After the step it is tried again the next time, by itself.
    stage.willMigrateHandler = will
    stage.didMigrateHandler = { _, _ in throw Broken() }
    #expect(throws: NSError.self) { try run([stage], to: 1) }
    #expect(try values(1) == ["will 0", nil] && logged == ["will 0", "step 0 1"])
    stage.didMigrateHandler = did
    #expect(try NSStagedMigrationManager.unfinishedStage([stage], place.metadata()) === stage)
    log.removeAllObjects()
    try run([stage], to: 1)
    #expect(try values(1) == ["will 0", "did 0"] && logged == ["did 1"])
    #expect(try NSStagedMigrationManager.unfinishedStage([stage], place.metadata()) == nil)
  }

  /// Killed before the step: the store says that it is in the old version, and all of the stage is done.
  @Test func whatWasAnnouncedAndNotDone() throws {
    try make(0)
    var metadata = try place.metadata()
    metadata[StageRun.dueKey] = sum(1)
    try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: place.type, at: place.url)
    try run([custom(0, 1)], to: 1)
    #expect(logged == ["will 0", "step 0 1", "did 1"])
  }
}
