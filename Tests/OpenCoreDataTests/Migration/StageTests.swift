import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The stages of staged migrations, and the references to models that they are made of.
@Suite struct StageTests {
  private static func reference(_ checksum: String) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: NSManagedObjectModel(), versionChecksum: checksum)
  }

  private static func custom(_ from: String, _ to: String) -> NSCustomMigrationStage {
    NSCustomMigrationStage(migratingFrom: reference(from), to: reference(to))
  }

  /// What a stage is found by.
  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
  func storesTellTheChecksumOfTheirModel(type: String) throws {
    let model = TestModel.library(), key = NSPersistentStoreModelVersionChecksumKey
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = try TestModel.temporaryFile()
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    #expect(store.metadata[key] as? String == model.versionChecksum)
    guard type != NSInMemoryStoreType else { return }
    try coordinator.remove(store)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    #expect(metadata[key] as? String == model.versionChecksum)
  }

  @Test func stages() throws {
    let lightweight = NSLightweightMigrationStage(["a", "b"])
    #expect(lightweight.versionChecksums == ["a", "b"] && lightweight.label == nil)
    lightweight.label = "to b"
    let custom = Self.custom("b", "c")
    var calls: [String] = []
    custom.willMigrateHandler = { _, stage in calls.append("will \(stage.currentModel.versionChecksum)") }
    custom.didMigrateHandler = { _, stage in calls.append("did \(stage.nextModel.versionChecksum)") }
    let manager = NSStagedMigrationManager([lightweight, custom])
    #expect(manager.stages.map(\.name) == ["to b", "NSCustomMigrationStage b to c"])
    #expect(manager.container == nil)
    try custom.willMigrateHandler?(manager, custom)
    try custom.didMigrateHandler?(manager, custom)
    #expect(calls == ["will b", "did c"])
  }

  @Test func theOrderOfVersions() {
    let stages = [
      NSLightweightMigrationStage(["1", "2"]), Self.custom("2", "3"), Self.custom("3", "4"),
      NSLightweightMigrationStage(["5", "6"]),
    ]
    let order = StageOrder(stages)
    #expect(order.duplicate == nil)
    #expect(order.versions.map(\.checksum) == ["1", "2", "3", "4", "5", "6"])
    #expect(order.versions.map(\.stage) == [0, 0, 1, 2, 3, 3])
    #expect(order.position(of: "4") == 3 && order.position(of: "7") == nil)
    #expect(StageOrder([NSLightweightMigrationStage(["1", "2"]), Self.custom("1", "2")]).duplicate == "1")
    #expect(StageOrder([Self.custom("1", "2"), Self.custom("2", "1")]).duplicate == "1")
    #expect(StageOrder([NSMigrationStage()]).versions.isEmpty)
  }

  @Test func duplicatesStopTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = NSLightweightMigrationStage(["a", "b", "a"]) }
    await #expect(processExitsWith: .failure) { _ = StageTests.custom("a", "a") }
    await #expect(processExitsWith: .failure) {
      _ = NSStagedMigrationManager([NSLightweightMigrationStage(["a", "b"]), NSLightweightMigrationStage(["c", "a"])])
    }
  }

  // MARK: References

  private let folder = MigrationFixture.folder

  @Test func referencesResolve() throws {
    let (first, second) = (try MigrationFixture.notes(1), try MigrationFixture.notes(2))
    let resources = try MigrationFixture.temporaryFolder()
    _ = try CompiledModel.compile(folder.appendingPathComponent("Notes.xcdatamodeld"), into: resources)
    let bundle = try #require(Bundle(path: resources.path))
    for (model, version) in [(first, "Notes 1"), (second, "Notes 2")] {
      let checksum = model.versionChecksum
      let hashes: [AnyHashable: Any] = model.entityVersionHashesByName
      let references = [
        NSManagedObjectModelReference(model: model, versionChecksum: checksum),
        NSManagedObjectModelReference(
          fileURL: resources.appendingPathComponent("Notes.momd"), versionChecksum: checksum),
        NSManagedObjectModelReference(
          fileURL: folder.appendingPathComponent("Notes.xcdatamodeld/\(version).xcdatamodel"), versionChecksum: checksum
        ),
        NSManagedObjectModelReference(name: "Notes", in: bundle, versionChecksum: checksum),
        NSManagedObjectModelReference(name: version, in: bundle, versionChecksum: checksum),
        NSManagedObjectModelReference(entityVersionHashes: hashes, in: bundle, versionChecksum: checksum),
      ]
      for reference in references {
        let found = try reference.resolve()
        #expect(found.versionChecksum == checksum && reference.versionChecksum == checksum)
        #expect(found.entityVersionHashesByName == model.entityVersionHashesByName)
        // It is looked for once.
        #expect(reference.resolvedModel === found)
      }
    }
  }

  @Test func referencesWithoutAModel() throws {
    let model = try MigrationFixture.notes(1)
    let bundle = try #require(Bundle(path: try MigrationFixture.temporaryFolder().path))
    let missing = [
      NSManagedObjectModelReference(model: model, versionChecksum: "x"),
      NSManagedObjectModelReference(
        fileURL: folder.appendingPathComponent("Notes.xcdatamodeld"), versionChecksum: "x"),
      NSManagedObjectModelReference(fileURL: folder.appendingPathComponent("None.momd"), versionChecksum: "x"),
      NSManagedObjectModelReference(name: "Notes", in: bundle, versionChecksum: model.versionChecksum),
      NSManagedObjectModelReference(
        entityVersionHashes: model.entityVersionHashesByName, in: bundle, versionChecksum: model.versionChecksum),
      NSManagedObjectModelReference(name: "Notes", in: nil, versionChecksum: model.versionChecksum),
    ]
    for reference in missing {
      let error = try #require(throws: NSError.self) { try reference.resolve() }
      #expect(error.code == 134504 && error.localizedDescription.contains(reference.versionChecksum))
    }
    let text = try #require(throws: NSError.self) { try missing[1].resolve() }.localizedDescription
    #expect(text.contains(model.versionChecksum) && text.contains("Notes.xcdatamodeld"))
  }

  @Test func resolvingAMissingModelStopsTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = StageTests.reference("x").resolvedModel }
  }
}
