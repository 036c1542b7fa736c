import CoreData
import Dispatch
import Foundation
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Programs that open a store of an old version at the same time: one migrates it, and all of them open it.
@Suite struct SimultaneousMigrationTests {
  private static let old = "<entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>"
  private static let new =
    "<entity name='A'><attribute name='y' elementID='x' attributeType='String' optional='YES'/></entity>"
  private static let migrates = [NSMigratePersistentStoresAutomaticallyOption: true]
  private static let infers: [String: Bool] = migrates.merging([NSInferMappingModelAutomaticallyOption: true]) { $1 }

  /// A store of the old version, whose model nobody has any more.
  private static func store() throws -> URL {
    let url = try TestModel.temporaryFile()
    try MigrationStores.open(url, try MigrationFixture.model(old)) { context in
      _ = context.make("A", ["x": "kept"])
      try context.save()
    }
    return url
  }

  private static func open(_ url: URL, _ options: [String: Any]) throws -> [String] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try MigrationFixture.model(new))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    defer { try? coordinator.remove(store) }
    return try coordinator.inContext { context in
      try context.all("A").map { $0.value(forKey: "y") as? String ?? "" }
    }
  }

  private static func fourOpenIt(_ options: @Sendable () throws -> [String: Any]) throws {
    for _ in 0..<5 * Soak.factor {
      let url = try Self.store(), answers = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let answer: String
        do { answer = try Self.open(url, options()).joined() } catch { answer = "\(error)" }
        answers.withLock { $0.append(answer) }
      }
      #expect(answers.withLock { $0 } == ["kept", "kept", "kept", "kept"])
    }
  }

  @Test func allOfThemOpenIt() throws { try Self.fourOpenIt { Self.infers as [String: Any] } }

  /// The store alone has the model in which a lightweight stage begins.
  @Test func allOfThemOpenItByStages() throws {
    let checksums = try [Self.old, Self.new].map { try MigrationFixture.model($0).versionChecksum }
    try Self.fourOpenIt {
      let stages = NSStagedMigrationManager([NSLightweightMigrationStage(checksums)])
      return (Self.infers as [String: Any]).merging([NSPersistentStoreStagedMigrationManagerOptionKey: stages]) { $1 }
    }
  }

  /// The metadata are read before another program migrates the store, and the store's copy of its model afterwards.
  @Test func metadataOfTheOldVersionAreReadAgain() throws {
    let model = try MigrationFixture.model(Self.new)
    // No model in memory has this version of the entity.
    let old: [String: Any] = [NSStoreModelVersionHashesKey: ["A": Data([1])]]
    let new: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
    var readings = 0
    let found = try SourceModelSearch.model(
      readingMetadata: {
        readings += 1
        return readings == 1 ? old : new
      }, cached: { model })
    #expect(readings == 2 && found.model === model)
    #expect(found.metadata[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
    // Metadata that stay as they are have no model.
    let missing = try SourceModelSearch.model(readingMetadata: { old }, cached: { model })
    #expect(missing.model == nil)
  }

  /// A program that wanted to migrate the store finds the work done, and needs no mapping.
  @Test func aStoreThatAnotherProgramHasMigratedIsLeftAlone() throws {
    let url = try Self.store()
    #expect(try Self.open(url, Self.infers) == ["kept"])
    let before = try Data(contentsOf: url)
    let migration = AutomaticMigration(
      coordinator: NSPersistentStoreCoordinator(managedObjectModel: try MigrationFixture.model(Self.new)),
      storeClass: SQLiteStore.self, type: NSSQLiteStoreType, configuration: nil, url: url, options: Self.migrates)
    try migration.run()
    #expect(try Data(contentsOf: url) == before)
    #expect(try Self.open(url, [:]) == ["kept"])
  }

  // MARK: A version between

  /// The versions that follow one another: the one attribute is renamed each time.
  private static func version(_ name: String) throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      "<entity name='A'><attribute name='\(name)' elementID='x' attributeType='String' optional='YES'/></entity>")
  }

  /// What another program does that knows one version: it opens the store.
  private static func migrate(_ url: URL, to name: String, _ type: String = NSSQLiteStoreType) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try version(name))
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: infers)
    try coordinator.remove(store)
  }

  private static func values(_ url: URL, _ name: String, _ type: String = NSSQLiteStoreType) throws -> [String] {
    try MigrationStores.open(url, version(name), type) { context in
      try context.all("A").map { $0.value(forKey: name) as? String ?? "" }
    }
  }

  /// Another program brings the store to a version between, when this one has found out from which version it goes.
  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func aStoreThatHasAVersionBetweenMeanwhileIsMigratedFromThere(_ type: String) throws {
    let url = try TestModel.temporaryFile()
    let models = try [MigrationFixture.model(Self.old), Self.version("y")]
    // A store in one file keeps no model: these are in use.
    let users = models.map { NSPersistentStoreCoordinator(managedObjectModel: $0) }
    defer { withExtendedLifetime(users) {} }
    try MigrationStores.open(url, models[0], type) { context in
      _ = context.make("A", ["x": "kept"])
      try context.save()
    }
    var others = 0
    var migration = AutomaticMigration(
      coordinator: NSPersistentStoreCoordinator(managedObjectModel: try Self.version("z")),
      storeClass: try NSPersistentStoreCoordinator.storeClass(forType: type), type: type, configuration: nil, url: url,
      options: Self.infers)
    migration.willCarryOut = {
      others += 1
      if others == 1 { try Self.migrate(url, to: "y", type) }
    }
    try migration.run()
    #expect(others == 2)
    #expect(try Self.values(url, "z", type) == ["kept"])
  }

  /// Another program goes on to the last version while a handler of a stage runs.
  @Test func stagesThatAnotherProgramHasPassedAreLeftOut() throws {
    let url = try Self.store()
    let versions = try [MigrationFixture.model(Self.old), Self.version("y"), Self.version("z")]
    func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
      NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }
    var called = 0
    let first = NSCustomMigrationStage(migratingFrom: reference(versions[0]), to: reference(versions[1]))
    first.willMigrateHandler = { _, _ in
      called += 1
      try Self.migrate(url, to: "z")
    }
    first.didMigrateHandler = { _, _ in called += 10 }
    let second = NSLightweightMigrationStage(versions[1...].map(\.versionChecksum))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[2])
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: (Self.infers as [String: Any]).merging([
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([first, second])
      ]) { $1 })
    try coordinator.remove(store)
    #expect(called == 1)
    #expect(try Self.values(url, "z") == ["kept"])
    #expect(try StoreCheck.errors(url) == [])
  }

  /// A mark in the metadata that is written for a stage does not bring the hashes of the version back that it was read with.
  @Test func theMarkOfAStageLeavesTheVersionAlone() throws {
    let url = try Self.store()
    let place = MigrationPlace(url, NSSQLiteStoreType, nil)
    let old = try place.metadata()
    try Self.migrate(url, to: "y")
    try StageRun.mark("a checksum", old, at: place)
    let new = try place.metadata()
    #expect(new[StageRun.dueKey] as? String == "a checksum")
    #expect(
      new[NSStoreModelVersionHashesKey] as? [String: Data] == (try Self.version("y").entityVersionHashesByName))
    #expect(try Self.values(url, "y") == ["kept"])
  }

  /// A mapping model between two versions is not followed from a third.
  @Test func aMappingModelOfAnotherVersionIsNotFollowed() throws {
    let url = try Self.store()
    try Self.migrate(url, to: "y")
    let old = try MigrationFixture.model(Self.old), new = try Self.version("z")
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let error = try #require(throws: NSError.self) {
      try StoreRemaking.migrate(MigrationPlace(url, NSSQLiteStoreType, nil), from: old, to: new, mapping)
    }
    #expect(error.code == NSMigrationMissingSourceModelError)
    #expect(try Self.values(url, "y") == ["kept"])
  }

  /// Programs of two later versions, one of which goes by stages.
  @Test func allOfThemOpenItThroughAVersionBetween() throws {
    for _ in 0..<5 * Soak.factor {
      let url = try Self.store(), answers = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        let answer: String
        do {
          var options: [String: Any] = Self.infers
          if number % 2 == 0 {
            let versions = try [MigrationFixture.model(Self.old), Self.version("y"), Self.version("z")]
            let references = versions.map {
              NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
            }
            let stages = [
              NSCustomMigrationStage(migratingFrom: references[0], to: references[1]),
              NSCustomMigrationStage(migratingFrom: references[1], to: references[2]),
            ]
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
          }
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.version("z"))
          let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
          try coordinator.remove(store)
          answer = try Self.values(url, "z").joined()
        } catch {
          answer = "\(error)"
        }
        answers.withLock { $0.append(answer) }
      }
      #expect(answers.withLock { $0 } == ["kept", "kept", "kept", "kept"])
    }
  }
}
