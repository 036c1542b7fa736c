import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Versions of a model that differ in nothing that a hash counts: a store's version identifiers tell which one it is of.
@Suite struct EqualVersionTests {
  private static func model(_ identifier: String, _ value: String) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity("OfEqualVersions", [TestModel.attribute("title", .stringAttributeType, value)])
    ]
    model.versionIdentifiers = [identifier]
    return model
  }

  @Test func theSourceOfAMigrationIsTheVersionOfItsIdentifier() throws {
    let versions = ["1", "2", "3"].map { Self.model($0, "value \($0)") }
    #expect(Set(versions.map(\.versionChecksum)).count == 1)
    versions.forEach(ModelRegistry.use)
    for version in versions {
      let url = try TestModel.temporaryFile()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: version)
      let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let metadata = coordinator.metadata(for: store)
      #expect(version.hasVersionIdentifiers(of: metadata))
      #expect(SourceModelSearch.model(metadata) { nil } === version)
      // A copy in the store that has the identifier is better than a model of the program that has another.
      #expect(
        SourceModelSearch.model(metadata.merging([NSStoreModelVersionIdentifiersKey: ["4"]]) { $1 }) {
          Self.model("4", "")
        }?.versionIdentifiers == ["4"])
      let destination = try #require(version.copy() as? NSManagedObjectModel)
      destination.entities.append(TestModel.entity("Another", []))
      let way = try ProgressiveMigration(from: metadata, among: versions, to: destination)
      #expect(way.steps.first?.source === version)
      let given = try ProgressiveMigration(from: metadata, among: versions, to: destination, source: versions[1])
      #expect(given.steps.first?.source === versions[1])
      try coordinator.remove(store)
    }
  }

  /// Two attributes, of which a version says that they had each other's names before.
  private static func pair(isSwapped: Bool) -> NSManagedObjectModel {
    let one = TestModel.attribute("one", .stringAttributeType),
      other = TestModel.attribute("other", .stringAttributeType)
    if isSwapped { (one.renamingIdentifier, other.renamingIdentifier) = ("other", "one") }
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("OfTwoNames", [one, other])]
    return model
  }

  /// The program works with a version of equal hashes that would lead values into each other's columns.
  @Test func valuesStayWhereTheStoresOwnModelHasThem() throws {
    let model = Self.pair(isSwapped: false), swapped = Self.pair(isSwapped: true)
    #expect(model.versionChecksum == swapped.versionChecksum)
    let url = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: "OfTwoNames", into: context)
      object.setValue("1", forKey: "one")
      object.setValue("2", forKey: "other")
      try context.save()
    }
    try coordinator.remove(store)
    ModelRegistry.use(swapped)
    let wider = Self.pair(isSwapped: false)
    wider.entities[0].properties.append(TestModel.attribute("third", .stringAttributeType))
    let migrated = NSPersistentStoreCoordinator(managedObjectModel: wider)
    try migrated.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
    let reader = TestModel.context(migrated)
    try reader.performAndWait {
      let object = try #require(try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "OfTwoNames")).first)
      #expect(object.value(forKey: "one") as? String == "1")
      #expect(object.value(forKey: "other") as? String == "2")
    }
    withExtendedLifetime(swapped) {}
  }
}
