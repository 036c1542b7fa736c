import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import Testing

/// A reader looks into a store beside the program that writes it, and leaves no trace.
struct StoreReaderTests {
  @Test func aReaderSeesWhatAnotherProgramSaves() throws {
    let shop = try Shop(stays: true)
    let reader = try StoreReader(shop.store)
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 3)
    try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
    // Nothing of the reader keeps the log from being emptied.
    #expect(try shop.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    try shop.close()
    // Nor the last program from taking the log away.
    #expect(!FileManager.default.fileExists(atPath: shop.store.path + "-wal"))
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
    try shop.open()
    try shop.write { Shop.make("Person", in: $0, ["name": "Newer"]) }
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 5)
  }

  @Test func whatIsAskedTogetherIsOfOneMoment() throws {
    let shop = try Shop(stays: true)
    let reader = try StoreReader(shop.store)
    try reader.read {
      #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 3)
      try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
      #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 3)
    }
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
  }

  /// Apple's migration leaves the old name of an entity that it renames in Z_PRIMARYKEY. Seen in a store of the corpus.
  @Test func anEntityThatWasRenamedHasTheNameOfTheModel() throws {
    let shop = try Shop()
    #expect(try shop.number("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Article' WHERE Z_NAME = 'Thing' RETURNING Z_ENT") > 0)
    let entities = try StoreReader(shop.store).info().entities
    let thing = try #require(entities.first { $0.name == "Thing" })
    #expect(thing.hash != nil && thing.rows == 3 && !entities.contains { $0.name == "Article" })
    #expect(entities.first { $0.name == "Toy" }?.superentity == "Thing")
  }

  /// Files of old versions of Apple's framework keep no copy of their model.
  @Test func theModelOfAStoreIsFoundAmongOthers() throws {
    let shop = try Shop()
    var isAsked = false
    let kept = try StoreModelSearch.model(of: shop.store) {
      isAsked = true
      return []
    }
    #expect(kept == nil && !isAsked)
    #expect(try shop.number("DELETE FROM Z_MODELCACHE RETURNING 1") == 1)
    let model = Shop.model()
    #expect(try StoreModelSearch.model(of: shop.store) { [NSManagedObjectModel(), model] } === model)
    #expect(try StoreReader(shop.store, model: model).count(of: ObjectQuery(entity: "Person")) == 3)
    for others in [[], [NSManagedObjectModel()]] {
      let error = #expect(throws: ToolError.self) { try StoreModelSearch.model(of: shop.store) { others } }
      let words = others.isEmpty ? "Name its model's file" : "None of the models that were given has them"
      let text = error?.description ?? ""
      #expect(text.contains("the entities Note, Person, Thing, Toy") && text.contains(words), "\(text)")
    }
  }

  @Test func tablesAreMeasuredWithTheirIndexes() throws {
    let shop = try Shop(persons: 200, things: 3)
    let sizes = try #require(try StoreReader(shop.store).tableSizes())
    // Toys are in the table of things.
    #expect(sizes.map(\.entity).sorted() == ["Note", "Person", "Thing"])
    let pages = try shop.number("PRAGMA page_count") * shop.number("PRAGMA page_size")
    let sum = sizes.reduce(0) { $0 + $1.tableBytes + $1.indexBytes }
    #expect(sizes.allSatisfy { $0.tableBytes > 0 && $0.tableBytes.isMultiple(of: 4096) } && sum < pages)
    #expect(sizes.contains { $0.indexBytes > 0 })
    let file = try Shop(type: NSXMLStoreType)
    #expect(try StoreReader(file.store, model: Shop.model()).tableSizes() == nil)
  }

  @Test func aReaderFollowsAMigration() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    #expect(try !reader.valueColumns(of: "Person").contains("nick"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shop.model(adding: "nick"))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: shop.store,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
      ])
    try coordinator.remove(store)
    #expect(try reader.valueColumns(of: "Person").contains("nick"))
    #expect(reader.model.entitiesByName["Person"]?.attributesByName["nick"] != nil)
    #expect(try reader.count(of: ObjectQuery(entity: "Person", predicate: "nick == NIL")) == 3)
  }

  @Test(arguments: [false, true]) func noByteOfTheFolderIsChanged(isInUse: Bool) throws {
    let shop = try Shop(hasHistory: true, stays: isInUse)
    let before = try shop.contents()
    do {
      let reader = try StoreReader(shop.store)
      _ = try reader.info()
      #expect(try reader.verify().problems.isEmpty)
      let query = ObjectQuery(
        entity: "Person", predicate: "age > 0", sort: [.init("name")], columns: ["name", "things.@count"])
      try reader.rows(of: query) { _, _ in }
      _ = try reader.explain(query, countsRows: true)
      _ = try reader.history(limit: 10)
      _ = try reader.object(ObjectReference(entity: "Person", key: 1))
      _ = try reader.referrers(of: ObjectReference(entity: "Person", key: 1))
      _ = try reader.tryIndex(["age"], entity: "Person", for: query)
    }
    var after = try shop.contents()
    if isInUse {
      // SQLite has one index of the log for all connections of a process, and notes there who reads. The tests of the commands have
      // a process of its own for the reader, and find the index as it was.
      after["Shop.sqlite-shm"] = before["Shop.sqlite-shm"]
    }
    #expect(after.keys.sorted() == before.keys.sorted())
    for (name, data) in before { #expect(after[name] == data, "\(name)") }
  }

  @Test func aStoreInOneFileIsReadAnewWhenItChanges() throws {
    let shop = try Shop(type: NSXMLStoreType, stays: true)
    let reader = try StoreReader(shop.store, model: Shop.model())
    #expect(reader.kind == .xml)
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 3)
    try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
  }

  @Test func aStoreThatIsTakenAwayIsAnErrorUntilItIsBack() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    let other = shop.folder.appending(path: "Other.sqlite")
    try FileManager.default.moveItem(at: shop.store, to: other)
    #expect(throws: ToolError.self) { try reader.count(of: ObjectQuery(entity: "Person")) }
    try FileManager.default.moveItem(at: other, to: shop.store)
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 3)
  }

  @Test func aDamagedStoreIsAnErrorInWordsAndIsVerified() throws {
    let shop = try Shop(persons: 300)
    let page = try Int(shop.number("SELECT rootpage FROM sqlite_master WHERE name = 'ZPERSON'"))
    let size = try Int(shop.number("PRAGMA page_size"))
    let handle = try FileHandle(forUpdating: shop.store)
    try handle.seek(toOffset: UInt64((page - 1) * size))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: size))
    try handle.close()
    let reader = try StoreReader(shop.store)
    #expect(throws: ToolError.self) {
      try reader.rows(of: ObjectQuery(entity: "Person", columns: ["name"])) { _, _ in }
    }
    let report = try reader.verify()
    #expect(report.errors > 0)
    // Others are there still.
    #expect(try reader.count(of: ObjectQuery(entity: "Note")) == 0)
  }

  @Test func aRunningQueryIsCancelledByAnotherThread() throws {
    let shop = try Shop(persons: 2, things: 2000)
    let reader = try StoreReader(shop.store)
    let ended = DispatchSemaphore(value: 0), stopped = DispatchSemaphore(value: 0)
    let thread = Thread {
      while ended.wait(timeout: .now() + 0.001) == .timedOut { reader.cancel() }
      stopped.signal()
    }
    thread.start()
    // Compares each of 2,000 things with 2,000 for each of 2,000, which takes hours.
    let query = ObjectQuery(
      entity: "Person",
      predicate: """
        SUBQUERY(things, $a, SUBQUERY($a.owner.things, $b, SUBQUERY($b.owner.things, $c, $c.title > $a.title).@count \
        > 5000).@count > 0).@count > 0
        """)
    #expect(throws: CancellationError.self) { try reader.count(of: query) }
    ended.signal()
    stopped.wait()
    // It goes on working.
    #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 2)
  }

  @Test func aWalkOverRowsIsCancelledInItsMiddle() throws {
    let shop = try Shop(persons: 50)
    let reader = try StoreReader(shop.store)
    var rows = 0
    #expect(throws: CancellationError.self) {
      try reader.rows(of: ObjectQuery(entity: "Person", columns: ["name"])) { _, _ in
        rows += 1
        if rows == 10 { reader.cancel() }
      }
    }
    #expect(rows == 10)
  }

  @Test func anErrorOfTheCallerIsThrownAsItIs() throws {
    struct Mine: Error {}
    let shop = try Shop()
    let other = try StoreReader(shop.store)
    #expect(throws: Mine.self) { try other.rows(of: ObjectQuery(entity: "Person")) { _, _ in throw Mine() } }
  }
}
