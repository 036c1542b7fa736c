import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Names of a model go into SQL as they are: what no name can be is refused, and what SQLite takes for the same is told apart.
@Suite struct ModelNameTests {
  static let refused = [
    "", "a b", "a;b", "a\"b", "a'b", "a)b", "a.b", "a-b", "a\u{0}b", "a\nb", "a`b", "a[b]",
    "x); DROP TABLE Z_METADATA; --",
  ]

  private static func model(entity: String = "Item", attribute: String = "name", index: String = "byName")
    -> NSManagedObjectModel
  {
    let entity = TestModel.entity(entity, [TestModel.attribute(attribute, .stringAttributeType)])
    let element = NSFetchIndexElementDescription(property: entity.properties[0], collationType: .binary)
    entity.indexes = [NSFetchIndexDescription(name: index, elements: [element])]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  private func error(_ body: () throws -> Void) -> NSError? {
    do { try body() } catch { return error as NSError }
    return nil
  }

  @Test(arguments: refused) func noStoreIsMadeForNamesThatAreNone(_ name: String) throws {
    for isEntity in [true, false] {
      let file = try TestModel.temporaryFile()
      let model = isEntity ? Self.model(entity: name) : Self.model(attribute: name)
      let error = error { _ = try TestModel.coordinator(model, url: file) }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(error?.userInfo["entity"] as? String == (isEntity ? name : "Item"))
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  /// A store in memory has no SQL.
  @Test func storesInMemoryTakeAnyName() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(attribute: "first name"))
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      context.insert("Item", ["first name": "Ada"])
      try context.save()
      #expect(try context.all("Item").first?.value(forKey: "first name") as? String == "Ada")
    }
  }

  @Test(arguments: refused.filter { !$0.contains("\u{0}") }) func modelFilesWithNamesThatAreNoneAreRefused(
    _ name: String
  ) throws {
    var text = name
    for (plain, escaped) in [("&", "&amp;"), ("\"", "&quot;"), ("<", "&lt;"), ("\n", "&#10;")] {
      text = text.replacingOccurrences(of: plain, with: escaped)
    }
    let places = [
      "<entity name=\"\(text)\"/>",
      "<entity name=\"Item\"><attribute name=\"\(text)\" attributeType=\"String\"/></entity>",
      "<entity name=\"Item\"><relationship name=\"\(text)\" maxCount=\"1\" destinationEntity=\"Item\"/></entity>",
      "<composite name=\"C\"><attribute name=\"\(text)\" attributeType=\"String\"/></composite>"
        + "<entity name=\"Item\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></entity>",
    ]
    for place in places {
      let file = try TestModel.temporaryFile("Model.xcdatamodel")
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      try Data("<model>\(place)</model>".utf8).write(to: file.appendingPathComponent("contents"))
      let error = error { _ = try NSManagedObjectModel(validatingContentsOf: file) }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError, "\(place): \(error as Any)")
    }
  }

  @Test func compiledModelsWithNamesThatAreNoneAreRefused() throws {
    let archive = try ModelCache.encode(Self.model(attribute: "a\"b"))
    #expect(throws: (any Error).self) { try ModelCache.decode(archive) }
  }

  /// Whatever SQLite, or a store, has under a name already.
  @Test(arguments: [
    ["name", "Name", "NAME", "NAME1"], ["_PK", "_ENT", "_OPT", "PK"], ["select", "order", "group", "table", "where"],
    ["größe", "Größe", "наме", "名前", "🦊"], ["x$", "_", "__", "a\u{a0}b"], [String(repeating: "long", count: 2_500)],
  ])
  func attributesOfAnyOtherNameAreKept(_ names: [String]) throws {
    let file = try TestModel.temporaryFile()
    for round in 0..<2 {
      let entity = TestModel.entity("Item", names.map { TestModel.attribute($0, .stringAttributeType) })
      if round == 1 { entity.properties.append(TestModel.attribute("another", .stringAttributeType)) }
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
      let context = TestModel.context(coordinator)
      try context.performAndWait {
        if round == 0 {
          context.insert("Item", Dictionary(uniqueKeysWithValues: names.map { ($0, "value of \($0)") }))
          try context.save()
          context.reset()
        }
        for name in names {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
          request.predicate = NSPredicate(format: "%K == %@", name, "value of \(name)")
          request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
          let found = try context.fetch(request)
          #expect(found.count == 1 && found.first?.value(forKey: name) as? String == "value of \(name)")
        }
      }
      try coordinator.remove(coordinator.persistentStores[0])
    }
  }

  /// Entities and tables of relationships that have, or would have, the same tables.
  @Test(arguments: [
    ["Person", "PERSON", "person", "Person1"], ["_PRIMARYKEY", "_METADATA", "_MODELCACHE", "_MetaData"],
    ["_1ITEMS", "_2ITEMS", "_1items", "_3others"],
  ])
  func entitiesOfAnyOtherNameAreKept(_ names: [String]) throws {
    let file = try TestModel.temporaryFile()
    for round in 0..<2 {
      let entities = names.map { TestModel.entity($0, [TestModel.attribute("name", .stringAttributeType)]) }
      for entity in entities { TestModel.relate(entity, "items", max: 0, entities[0], "others\(entity.name!)", max: 0) }
      if round == 1 { entities[0].properties.append(TestModel.attribute("another", .stringAttributeType)) }
      let model = NSManagedObjectModel()
      model.entities = entities + (round == 1 ? [TestModel.entity("PERSOn", [])] : [])
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
      let context = TestModel.context(coordinator)
      try context.performAndWait {
        if round == 0 {
          let made = names.map { context.insert($0, ["name": $0]) }
          for object in made { object.set([made[0]], forKey: "items") }
          try context.save()
          context.reset()
        }
        for name in names {
          let found = try context.all(name)
          #expect(found.count == 1 && found.first?.value(forKey: "name") as? String == name)
          let items = found.first?.value(forKey: "items") as? Set<NSManagedObject>
          #expect(items?.map { $0.value(forKey: "name") as? String } == [names[0]])
        }
      }
      try coordinator.remove(coordinator.persistentStores[0])
    }
  }

  @Test(arguments: ["by name", "a\"b", "x; DROP TABLE Z_METADATA", "", "a\u{0}b"]) func indexesMayHaveAnyName(
    _ name: String
  ) throws {
    let file = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(Self.model(index: name), url: file)
    try coordinator.remove(coordinator.persistentStores[0])
    let names = try PlainDatabase(file).rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
    #expect(names.count == 1 && names.first?.first?.text?.isPlainName == true)
  }

  /// Two constraints whose names, put together, are the same.
  @Test func noUniquenessConstraintIsLost() throws {
    let entity = TestModel.entity("A", ["b", "c", "b_c"].map { TestModel.attribute($0, .stringAttributeType) })
    entity.uniquenessConstraints = [["b_c"], ["b", "c"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let context = TestModel.context(try TestModel.coordinator(model))
    for values in [["b_c": "1"], ["b": "1", "c": "1"]] {
      context.performAndWait {
        for _ in 0..<2 { context.insert("A", values) }
        let error = error { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError, "\(values)")
        context.rollback()
      }
    }
  }

  /// Attributes that SQLite takes for one have triggers of their own.
  @Test func derivedAttributesThatDifferInCase() throws {
    let owner = TestModel.entity("Owner", [])
    let item = TestModel.entity("Item", [])
    TestModel.relate(owner, "items", max: 0, item, "owner", max: 1)
    for name in ["count", "Count"] {
      let derived = NSDerivedAttributeDescription()
      derived.name = name
      derived.attributeType = .integer64AttributeType
      derived.isOptional = true
      derived.derivationExpression = NSExpression(format: "items.@count")
      owner.properties.append(derived)
    }
    let model = NSManagedObjectModel()
    model.entities = [owner, item]
    let context = TestModel.context(try TestModel.coordinator(model))
    try context.performAndWait {
      let owner = context.insert("Owner")
      for _ in 0..<3 { context.insert("Item", ["owner": owner]) }
      try context.save()
      context.refreshAllObjects()
      #expect(["count", "Count"].map { owner.value(forKey: $0) as? Int } == [3, 3])
    }
  }

  /// Columns of a file give the names of columns; what is no name among them is not used.
  @Test func columnsOfFilesThatAreNoNames() throws {
    let file = try TestModel.temporaryFile()
    func model() -> NSManagedObjectModel {
      let (one, two) = (TestModel.entity("One", []), TestModel.entity("Two", []))
      TestModel.relate(one, "twos", max: 0, two, "ones", max: 0)
      let model = NSManagedObjectModel()
      model.entities = [one, two]
      return model
    }
    let first = try TestModel.coordinator(model(), url: file)
    try first.remove(first.persistentStores[0])
    let database = try PlainDatabase(file)
    try database.rows("ALTER TABLE Z_1TWOS RENAME COLUMN Z_1ONES TO \"Z_PK FROM ZONE; --\"")
    let context = TestModel.context(try TestModel.coordinator(model(), url: file))
    context.performAndWait {
      let error = error {
        context.insert("One", ["twos": [context.insert("Two")]])
        try context.save()
      }
      #expect(error != nil)
    }
    #expect(try database.rows("SELECT COUNT(*) FROM Z_1TWOS").first?.first?.integer == 0)
  }
}
