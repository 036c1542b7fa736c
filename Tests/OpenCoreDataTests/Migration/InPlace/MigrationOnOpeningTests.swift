import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What opening a store of another version does, and what is left when it cannot be done.
@Suite struct MigrationOnOpeningTests {
  private let both: [AnyHashable: Any] = [
    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
  ]

  private func entity(_ properties: String, _ name: String = "A") -> String {
    "<entity name='\(name)'>\(properties)</entity>"
  }

  private func attribute(_ name: String, _ type: String = "String", _ rest: String = "optional='YES'") -> String {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private func store(_ before: String, _ after: String, objects: Int = 5) throws -> MigratedStore {
    try MigratedStore.make(try MigrationFixture.model(before), try MigrationFixture.model(after), objects: objects)
  }

  private func open(_ store: MigratedStore, _ options: [AnyHashable: Any]) throws -> NSPersistentStore {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.migration.destination)
    return try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: options)
  }

  /// The error of opening; every object is as it was.
  private func error(_ store: MigratedStore, _ options: [AnyHashable: Any]) throws -> NSError {
    let before = try StoreImage(store.url, store.migration.source)
    var found: NSError?
    do {
      _ = try open(store, options)
      Issue.record("the store was opened")
    } catch let error as NSError { found = error }
    let same = InferredMigration(from: store.migration.source, to: store.migration.source)
    #expect(try StoreImage(store.url, store.migration.source).differences(from: before, by: same) == [])
    #expect(try StoreCheck.errors(store.url) == [])
    return try #require(found)
  }

  @Test func aStoreIsMigratedWhenTheOptionsAskForIt() throws {
    let store = try store(
      entity(attribute("x")), entity(attribute("x") + attribute("y", "Double", "defaultValueString='2'")))
    #expect(try error(store, [:]).code == 134100)
    #expect(try error(store, [NSInferMappingModelAutomaticallyOption: true]).code == 134100)
    #expect(try error(store, both.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }).code == 134100)
    let noMapping = try error(store, [NSMigratePersistentStoresAutomaticallyOption: true])
    #expect(noMapping.code == 134140 && noMapping.userInfo["sourceModel"] is NSManagedObjectModel)
    let before = try StoreImage(store.url, store.migration.source)
    let identifier = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)[
      NSStoreUUIDKey]
    try PlainDatabase(store.url).setMetadata { $0["mine"] = "kept" }
    let opened = try open(store, both)
    #expect(opened.identifier == identifier as? String && opened.metadata["mine"] as? String == "kept")
    #expect(
      store.migration.destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: opened.metadata ?? [:]))
    let after = try StoreImage(store.url, store.migration.destination)
    #expect(try after.differences(from: before, by: store.migration) == [])
    // The store has the new model.
    #expect(
      try NSManagedObjectModel(contentsOfStoreAt: store.url).entityVersionHashesByName
        == store.migration.destination.entityVersionHashesByName)
  }

  @Test func descriptionsAskForIt() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    let store = try store(entity(attribute("x")), entity(attribute("z", "String", "optional='YES' elementID='x'")))
    let container = NSPersistentContainer(name: "Opening", managedObjectModel: store.migration.destination)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store.url)]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    #expect(failure == nil)
    #expect(try container.viewContext.performAndWait { try container.viewContext.all("A").count } == 5)
    let other = NSPersistentStoreDescription(url: store.url)
    other.shouldMigrateStoreAutomatically = false
    other.shouldInferMappingModelAutomatically = false
    #expect(!other.shouldMigrateStoreAutomatically && !other.shouldInferMappingModelAutomatically)
  }

  @Test func theSourceModelIsMissing() throws {
    let store = try store(entity(attribute("x")), entity(attribute("y")))
    let database = try PlainDatabase(store.url)
    try database.setMetadata { $0[NSStoreModelVersionHashesKey] = ["A": Data(count: 32)] }
    do {
      _ = try open(store, both)
      Issue.record("the store was opened")
    } catch let error as NSError {
      #expect(error.code == 134130 && error.userInfo["reason"] as? String == "Can't find model for source store")
    }
  }

  @Test func noMappingFollows() throws {
    let error = try error(store(entity(attribute("x")), entity(attribute("x", "Date"))), both)
    #expect(
      error.code == 134140 && error.userInfo["entity"] as? String == "A" && error.userInfo["property"] as? String == "x"
    )
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 134190)
  }

  @Test func aMandatoryAttributeIsLeftWithoutValue() throws {
    for before in [entity(attribute("y")), entity(attribute("x") + attribute("y"))] {
      let after = entity(attribute("x", "String", "") + attribute("y"))
      let found = try error(store(before, after, objects: 40), both)
      #expect(found.code == 134110)
      #expect(found.userInfo["entity"] as? String == "A" && found.userInfo["attribute"] as? String == "x")
      #expect(
        found.localizedDescription.contains(
          "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute")
      )
      // Without rows nothing is missing.
      _ = try open(store(before, after, objects: 0), both)
    }
  }

  @Test func valuesDoNotFit() throws {
    let constraint =
      "<uniquenessConstraints><uniquenessConstraint><constraint value='b'/></uniquenessConstraint></uniquenessConstraints>"
    let equal = try error(
      store(entity(attribute("b", "Boolean", "")), entity(attribute("b", "Boolean", "") + constraint)), both)
    #expect(
      equal.code == 134111 && equal.userInfo["entity"] as? String == "A" && equal.userInfo["property"] as? String == "b"
    )
    let wide = try store(
      entity(attribute("n", "Integer 64", "defaultValueString='1'")),
      entity(attribute("n", "Integer 16", "defaultValueString='1'")))
    try PlainDatabase(wide.url).rows("UPDATE ZA SET ZN = 40000 WHERE Z_PK = 2")
    let range = try error(wide, both)
    #expect(range.code == 134110 && range.userInfo["property"] as? String == "n")
    func related(_ rest: String) -> String {
      entity(
        "<relationship name='bs' destinationEntity='B' optional='YES' inverseName='as' inverseEntity='B' \(rest)/>")
        + entity(
          "<relationship name='as' destinationEntity='A' optional='YES' toMany='YES' inverseName='bs' inverseEntity='A'/>",
          "B")
    }
    let several = try error(store(related("toMany='YES'"), related("maxCount='1'"), objects: 20), both)
    #expect(several.code == 134110 && several.userInfo["property"] as? String == "bs")
    let abstract = try error(
      store(entity(attribute("x")), "<entity name='A' isAbstract='YES'>\(attribute("x"))</entity>"), both)
    #expect(abstract.code == 134110 && abstract.userInfo["entity"] as? String == "A")
  }

  @Test func aCancelledMigrationLeavesTheStoreAsItWas() throws {
    let after = entity(attribute("x") + attribute("n", "Double") + attribute("s", "String", "defaultValueString='new'"))
    let store = try store(entity(attribute("x") + attribute("n", "Integer 16")), after, objects: 3000)
    let before = try StoreImage(store.url, store.migration.source)
    // Before it begins, and as soon as it has come anywhere.
    for share in [0, 0.3] {
      let progress = CancellingProgress(at: share)
      #expect { try store.inPlace().run(progress: progress) } throws: { ($0 as NSError).code == 134120 }
      let same = InferredMigration(from: store.migration.source, to: store.migration.source)
      #expect(try StoreImage(store.url, store.migration.source).differences(from: before, by: same) == [])
    }
    let progress = Progress(totalUnitCount: 1)
    try store.inPlace().run(progress: progress)
    #expect(progress.completedUnitCount == progress.totalUnitCount && progress.totalUnitCount > 3000)
    #expect(try StoreImage(store.url, store.migration.destination).differences(from: before, by: store.migration) == [])
    // Somebody else has done it.
    #expect(try store.inPlace().run() == nil)
  }

  @Test func cleaningUpCanWait() throws {
    let before =
      entity(attribute("x") + attribute("y", "Integer 16") + attribute("gone", "Date"))
      + entity(attribute("x"), "Gone")
    let after = entity(attribute("x") + attribute("y", "Integer 16")) + entity(attribute("z"), "New")
    let store = try store(before, after)
    try store.migrateAndCheck("", defers: true)
    #expect(try !store.layoutDifferences().isEmpty)
    let coordinator = try TestModel.coordinator(store.migration.destination, url: store.url)
    let opened = try #require(coordinator.persistentStores.first)
    let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    #expect(opened.metadata[key] as? Bool == true)
    try coordinator.finishDeferredLightweightMigrationTask()
    #expect(opened.metadata[key] as? Bool == true)
    try coordinator.finishDeferredLightweightMigration()
    #expect(opened.metadata[key] == nil)
    try coordinator.remove(opened)
    #expect(try store.layoutDifferences() == [] && StoreCheck.errors(store.url) == [])
  }
}

/// Cancels itself when it has come so far.
private final class CancellingProgress: Progress, @unchecked Sendable {  // used by one thread
  private let share: Double

  init(at share: Double) {
    self.share = share
    super.init(parent: nil, userInfo: nil)
    if share == 0 { cancel() }
  }

  override var completedUnitCount: Int64 {
    didSet { if totalUnitCount > 1, Double(completedUnitCount) > share * Double(totalUnitCount) { cancel() } }
  }
}
