import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What belongs to a store beside its rows goes along: history, computed values, files, the log, other programs' indexes;
/// and stores that are no database are migrated too.
@Suite struct MigratedContentTests {
  private let both: [AnyHashable: Any] = [
    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
  ]

  private func model(_ text: String) throws -> NSManagedObjectModel { try MigrationFixture.model(text) }

  private func attribute(_ name: String, _ type: String = "String", _ rest: String = "optional='YES'") -> String {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private func open(
    _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any] = [:], type: String = NSSQLiteStoreType
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: both.merging(options) { $1 })
    return coordinator
  }

  @Test func historyTellsOfTheNewProperties() throws {
    let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    let kept = "optional='YES' preserveAfterDeletion='YES'"
    let before = try model(
      "<entity name='B'>\(attribute("x"))\(attribute("y"))\(attribute("t", "String", kept))</entity>"
        + "<entity name='Gone'>\(attribute("x"))</entity>")
    let after = try model(
      "<entity name='A'>\(attribute("x"))</entity><entity name='B'>\(attribute("a"))\(attribute("b"))"
        + "\(attribute("s", "String", kept))\(attribute("t", "String", kept))"
        + "\(attribute("z", "String", "optional='YES' elementID='x'"))</entity>")
    let url = try TestModel.temporaryFile()
    var coordinator = try open(before, url, tracking)
    var context = TestModel.context(coordinator)
    try context.performAndWait {
      let (first, second) = (context.insert("B", ["x": "1", "t": "tomb"]), context.insert("Gone"))
      try context.save()
      first.setValue("2", forKey: "x")
      first.setValue("2", forKey: "y")
      second.setValue("2", forKey: "x")
      try context.save()
      context.delete(first)
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    coordinator = try open(after, url, tracking)
    context = TestModel.context(coordinator)
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.count == 3)
      let changes = transactions.flatMap { $0.changes ?? [] }
      #expect(changes.map(\.changedObjectID.entity.name) == ["B", "B", "B"])
      #expect(Set(changes[1].updatedProperties?.map(\.name) ?? []) == ["z"])
      #expect(changes[2].tombstone?["t"] as? String == "tomb" && changes[2].tombstone?["s"] == nil)
    }
    #expect(try StoreCheck.errors(url) == [])
  }

  @Test func computedValuesAreThere() throws {
    func derived(_ name: String, _ type: String, _ expression: String) -> String {
      "<attribute name='\(name)' optional='YES' attributeType='\(type)' derived='YES' derivationExpression='\(expression)'/>"
    }
    let item =
      "<entity name='Item'>\(attribute("n", "Integer 32", "defaultValueString='0'"))\(attribute("title"))"
      + "<relationship name='list' destinationEntity='List' inverseName='items' inverseEntity='List' optional='YES'/>"
    let list =
      "<entity name='List'>\(attribute("title"))<relationship name='items' toMany='YES' destinationEntity='Item' "
      + "inverseName='list' inverseEntity='Item' optional='YES'/>"
    let before = try model(item + "</entity>" + list + derived("kept", "Integer 64", "items.@count") + "</entity>")
    let after = try model(
      item + derived("listTitle", "String", "list.title") + "</entity>" + list
        + derived("kept", "Integer 64", "items.@count") + derived("sum", "Integer 64", "items.n.@sum")
        + derived("title2", "String", "uppercase:(title)") + "</entity>")
    let url = try TestModel.temporaryFile()
    var coordinator = try open(before, url)
    var context = TestModel.context(coordinator)
    try context.performAndWait {
      let list = context.insert("List", ["title": "one"])
      for n in 1...3 { context.insert("Item", ["n": n, "list": list]) }
      context.insert("List", ["title": "empty"])
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    coordinator = try open(after, url)
    context = TestModel.context(coordinator)
    try context.performAndWait {
      let lists = try context.all("List", sortedBy: "title")
      #expect(lists.map { $0.value(forKey: "kept") as? Int } == [0, 3])
      #expect(lists.map { $0.value(forKey: "sum") as? Int } == [0, 6])
      #expect(lists.map { $0.value(forKey: "title2") as? String } == ["EMPTY", "ONE"])
      #expect(try context.all("Item").allSatisfy { $0.value(forKey: "listTitle") as? String == "one" })
      // Triggers go on from there.
      context.insert("Item", ["n": 10, "list": lists[1]])
      try context.save()
      context.refreshAllObjects()
      #expect(lists[1].value(forKey: "sum") as? Int == 16 && lists[1].value(forKey: "kept") as? Int == 4)
    }
  }

  @Test(arguments: [false, true]) func filesOfRemovedValuesGo(defers: Bool) throws {
    func data(_ name: String, _ isExternal: Bool = true) -> String {
      "<attribute name='\(name)' attributeType='Binary' optional='YES' \(isExternal ? "allowsExternalBinaryDataStorage='YES'" : "")/>"
    }
    let before = try model(
      "<entity name='A'>\(data("kept"))\(data("gone"))\(data("inside"))\(data("small", false))</entity>")
    let after = try model("<entity name='A'>\(data("kept"))\(data("inside", false))\(data("small"))</entity>")
    let url = try TestModel.temporaryFile()
    var coordinator = try open(before, url)
    let large = { (byte: UInt8) in Data(repeating: byte, count: 200_000) }
    var context = TestModel.context(coordinator)
    try context.performAndWait {
      context.insert(
        "A", ["kept": large(1), "gone": large(2), "inside": large(3), "small": Data([4, 0, 5])])
      context.insert("A", ["kept": Data([0, 9]), "inside": Data(), "small": Data()])
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let folder = ExternalStorage(storePath: url.path).folder
    func files() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
    #expect(try files() == 3)
    coordinator = try open(after, url, [NSPersistentStoreDeferredLightweightMigrationOptionKey: defers])
    // What has come into a row is of no use in a file; what waits has its file.
    #expect(try files() == (defers ? 2 : 1))
    try coordinator.finishDeferredLightweightMigration()
    #expect(try files() == 1 && StoreCheck.errors(url) == [])
    context = TestModel.context(coordinator)
    try context.performAndWait {
      let objects = try context.all("A").sorted { $0.key < $1.key }
      let values = objects.map { object in ["kept", "inside", "small"].map { object.value(forKey: $0) as? Data } }
      #expect(values == [[large(1), large(3), Data([4, 0, 5])], [Data([0, 9]), Data(), Data()]])
    }
  }

  @Test func whatIsOnlyInTheLogIsMigrated() throws {
    let before = try model("<entity name='A'>\(attribute("x"))</entity>")
    let after = try model("<entity name='A'>\(attribute("x"))\(attribute("y"))</entity>")
    let url = try TestModel.temporaryFile(), copy = try TestModel.temporaryFile()
    let coordinator = try open(before, url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for n in 0..<20 { context.insert("A", ["x": "\(n)"]) }
      try context.save()
    }
    // As a process leaves it that is killed.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    let migrated = TestModel.context(try open(after, copy))
    #expect(try migrated.performAndWait { try migrated.all("A").count } == 20)
  }

  @Test func whatOthersHavePutIntoTheFileStays() throws {
    let store = try MigratedStore.make(
      try model("<entity name='A'>\(attribute("x"))\(attribute("y"))</entity>"),
      try model("<entity name='A'>\(attribute("x"))</entity>"))
    try PlainDatabase(store.url).rows("CREATE TABLE mine (a)")
    try PlainDatabase(store.url).rows("INSERT INTO mine VALUES (7)")
    try PlainDatabase(store.url).rows("CREATE INDEX mineX ON ZA (ZX)")
    try PlainDatabase(store.url).rows("CREATE INDEX mineY ON ZA (ZY, ZX)")
    try store.inPlace().run()
    let database = try PlainDatabase(store.url)
    #expect(try database.rows("SELECT a FROM mine") == [[.integer(7)]])
    #expect(try database.strings("SELECT name FROM sqlite_master WHERE type = 'index'") == ["mineX"])
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func storesThatAreReadAsAWhole(type: String) throws {
    let (before, after) = (try KilledMigration.before(), try KilledMigration.after())
    before.freeze()
    after.freeze()
    let url = try TestModel.temporaryFile("Store.\(type)")
    var random = SeededGenerator(seed: 5)
    try StoreFiller.make(before, at: url, type: type, objects: 6, random: &random)
    let old = try StoreImage(url, before, type: type)
    let identifier = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)[NSStoreUUIDKey]
    #expect { try StoreImage(url, after, type: type) } throws: { ($0 as NSError).code == 134100 }
    let new = try StoreImage(url, after, type: type, options: both)
    let migration = InferredMigration(from: before, to: after)
    // A store of this kind has one count of keys for all entities.
    #expect(try new.differences(from: old, by: migration) == [])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    #expect(metadata[NSStoreUUIDKey] as? String == identifier as? String)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path) == [
        url.lastPathComponent
      ])
    // Identifiers of new objects are others.
    let coordinator = try open(after, url, type: type)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      context.insert("Tag")
      try context.save()
      #expect(try context.all("Tag").count == 7)
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let mandatory = try model("<entity name='Tag'>\(attribute("must", "String", ""))</entity>")
    #expect { try StoreImage(url, mandatory, type: type, options: self.both) } throws: {
      ($0 as NSError).code == 134110
    }
    #expect(try StoreImage(url, after, type: type).objects.count == new.objects.count + 1)
  }

  /// A store that has one configuration's entities has no others afterwards either.
  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]) func storesOfOneConfiguration(type: String)
    throws
  {
    func version(_ attributes: String) throws -> NSManagedObjectModel {
      let model = try model("<entity name='Note'>\(attributes)</entity><entity name='Other'/>")
      let note = try #require(model.entitiesByName["Note"])
      model.setEntities([note], forConfigurationName: "Notes")
      model.freeze()
      return model
    }
    let text = "<attribute name='text' attributeType='String' optional='YES'/>"
    let before = try version(text)
    let after = try version(text + "<attribute name='stars' attributeType='Integer 16' defaultValueString='3'/>")
    let url = try TestModel.temporaryFile("Notes.\(type)")
    func inStore(_ model: NSManagedObjectModel, _ work: (NSManagedObjectContext) throws -> Void) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(ofType: type, configurationName: "Notes", at: url, options: both)
      try coordinator.inContext(work)
      try coordinator.remove(store)
    }
    try inStore(before) { context in
      _ = context.make("Note", ["text": "kept"])
      try context.save()
    }
    try inStore(after) { context in
      let notes = try context.all("Note")
      #expect(notes.map { $0.text("text") } == ["kept"])
      #expect(notes.map { $0.number("stars") } == [3])
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Note"])
  }
}
