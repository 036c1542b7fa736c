import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models that are too large: each way of using one gives an error with the number and the limit, and none ends the program.
@Suite struct ModelLimitTests {
  private static let limit = 32_767

  private static func attributes(_ numbers: Range<Int>) -> [NSPropertyDescription] {
    numbers.map { TestModel.attribute("a\($0)", .integer16AttributeType) }
  }

  private static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  enum Shape: CaseIterable, Sendable {
    case one, inherited, elements

    /// A model whose largest entity has that many properties.
    func model(_ count: Int) -> NSManagedObjectModel {
      switch self {
      case .one: return ModelLimitTests.model(TestModel.entity("Big", ModelLimitTests.attributes(0..<count)))
      case .inherited:
        let parent = TestModel.entity("Parent", ModelLimitTests.attributes(0..<count / 2))
        let child = TestModel.entity("Big", ModelLimitTests.attributes(count / 2..<count), parent: parent)
        return ModelLimitTests.model(parent, child)
      case .elements:
        let composite = NSCompositeAttributeDescription()
        composite.name = "all"
        composite.elements = ModelLimitTests.attributes(0..<count - 1).compactMap { $0 as? NSAttributeDescription }
        return ModelLimitTests.model(TestModel.entity("Big", [composite]))
      }
    }
  }

  private func refusal(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch { return error as NSError }
  }

  private func check(_ error: NSError?, _ count: Int, _ place: Comment) {
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError, place)
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("'Big'") && text.contains("\(count)") && text.contains("\(Self.limit)"), "\(place): \(text)")
  }

  @Test(arguments: Shape.allCases) func everyKindOfStoreRefusesIt(_ shape: Shape) throws {
    let model = shape.model(Self.limit + 1)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for type in [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType] {
      let url = try TestModel.temporaryFile()
      let error = refusal { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url) }
      check(error, Self.limit + 1, "\(type)")
      #expect(try FileStore.files(beside: url) == [])
    }
    #expect(ModelLimits.oversized(shape.model(Self.limit)) == nil)
  }

  @Test func aContainerTellsIt() throws {
    let container = NSPersistentContainer(name: "Big", managedObjectModel: Shape.one.model(40_000))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: try TestModel.temporaryFile())]
    var failure: NSError?
    container.loadPersistentStores { failure = $1 as NSError? }
    check(failure, 40_000, "container")
  }

  @Test func noMigrationLeadsToItOrFromIt() throws {
    let small = Self.model(TestModel.entity("Big", Self.attributes(0..<3)))
    let big = Shape.one.model(Self.limit + 1)
    let url = try TestModel.temporaryFile()
    try FileStore.close(FileStore.open(url, nil, small))
    let before = try FolderContents(url.deletingLastPathComponent())
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    check(refusal { _ = try FileStore.open(url, options, big) }, Self.limit + 1, "opening")
    for (source, destination) in [(small, big), (big, small)] {
      check(
        refusal { try InPlaceMigration(storeAt: url, from: source, to: destination).run() }, Self.limit + 1, "in place")
      let mapping = NSMappingModel()
      mapping.entityMappings = []
      let target = try TestModel.temporaryFile("Target.sqlite")
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      check(
        refusal {
          try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }, Self.limit + 1, "manager")
    }
    #expect(try FolderContents(url.deletingLastPathComponent()) == before)
  }

  /// Nor is there a way through it, in stages.
  @Test func noStageLeadsThroughIt() throws {
    let versions = [
      Self.model(TestModel.entity("Big", Self.attributes(0..<3))), Shape.one.model(Self.limit + 1),
      Self.model(TestModel.entity("Big", Self.attributes(0..<4))),
    ]
    let url = try TestModel.temporaryFile()
    try FileStore.close(FileStore.open(url, nil, versions[0]))
    let references = versions.map { NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
    let stages = zip(references, references.dropFirst()).map { NSCustomMigrationStage(migratingFrom: $0, to: $1) }
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
    ]
    check(refusal { _ = try FileStore.open(url, options, versions[2]) }, Self.limit + 1, "stages")
    try FileStore.close(FileStore.open(url, nil, versions[0]))
  }

  /// The largest entity works.
  @Test func theLargestEntity() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shape.one.model(Self.limit))
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let last = "a\(Self.limit - 1)"
    try coordinator.inContext { context in
      let object = context.make("Big", ["a0": 1, last: 7])
      try context.save()
      context.refresh(object, mergeChanges: false)
      #expect(object.value(forKey: "a0") as? Int == 1 && object.value(forKey: last) as? Int == 7)
    }
  }

  /// Numbers of entities from 16,000 on are those of the tables of history.
  @Test func aFileHasAsManyEntitiesAsNumbers() throws {
    let model = NSManagedObjectModel()
    model.entities = (0..<16_000).map { TestModel.entity("E\($0)", []) }
    let url = try TestModel.temporaryFile()
    let error = refusal {
      try NSPersistentStoreCoordinator(managedObjectModel: model)
        .addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    }
    #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("16000") && text.contains("15999"), "\(text)")
    #expect(try FileStore.files(beside: url) == [])
  }
}
