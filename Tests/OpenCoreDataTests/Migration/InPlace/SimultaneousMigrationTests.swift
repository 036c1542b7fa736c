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
}
