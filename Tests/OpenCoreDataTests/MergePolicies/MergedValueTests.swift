import CoreData
import Testing

/// Attributes of special kinds that both sides have changed.
@Suite struct MergedValueTests {
  private static func model() -> NSManagedObjectModel {
    let blob = TestModel.attribute("blob", .binaryDataAttributeType)
    blob.allowsExternalBinaryDataStorage = true
    let list = TestModel.attribute("list", .transformableAttributeType)
    list.valueTransformerName = "NSSecureUnarchiveFromData"
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = ["x", "y"].map { TestModel.attribute($0, .integer64AttributeType) }
    let upper = NSDerivedAttributeDescription()
    upper.name = "upper"
    upper.attributeType = .stringAttributeType
    upper.derivationExpression = NSExpression(format: "uppercase:(name)")
    let item = TestModel.entity(
      "Item", [TestModel.attribute("name", .stringAttributeType), blob, list, place, upper])
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  private static func state(_ item: NSManagedObject) -> String {
    let blob = item.value(forKey: "blob") as? Data
    let place = item.value(forKey: "place") as? [String: Any]
    return
      "\(item.text("name") ?? "-") \(item.text("upper") ?? "-") \(blob.map { "\($0.first ?? 0)x\($0.count)" } ?? "-")"
      + " \(item.value(forKey: "list") as? [String] ?? []) \(place?["x"] ?? "-"),\(place?["y"] ?? "-")"
  }

  /// Everything was changed by both, or by the others alone.
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, true, "b B 2x300000 [\"b\"] 1,2"),
    (.mergeByPropertyObjectTrumpMergePolicyType, true, "c C 3x300000 [\"c\"] 3,1"),
    (.overwriteMergePolicyType, true, "c C 3x300000 [\"c\"] 3,1"),
    (.rollbackMergePolicyType, true, "b B 2x300000 [\"b\"] 1,2"),
    (.mergeByPropertyStoreTrumpMergePolicyType, false, "c C 2x300000 [\"b\"] 1,2"),
    (.mergeByPropertyObjectTrumpMergePolicyType, false, "c C 2x300000 [\"b\"] 1,2"),
    (.overwriteMergePolicyType, false, "c C 1x300000 [\"a\"] 1,1"),
    (.rollbackMergePolicyType, false, "a A 2x300000 [\"b\"] 1,2"),
  ])
  func everyKind(_ type: NSMergePolicyType, _ byBoth: Bool, _ expected: String) throws {
    let world = try MergeWorld(.sqlite, Self.model(), url: try TestModel.temporaryFile())
    try world.make(
      "Item",
      [
        "name": "a", "blob": Data(repeating: 1, count: 300_000), "list": ["a"] as NSArray, "place": ["x": 1, "y": 1],
      ])
    let context = world.context(type)
    try context.performAndWait {
      let item = try #require(try context.all("Item").first)
      #expect(Self.state(item) == "a A 1x300000 [\"a\"] 1,1")
      item.setValue("c", forKey: "name")
      if byBoth {
        item.setValue(Data(repeating: 3, count: 300_000), forKey: "blob")
        item.setValue(["c"] as NSArray, forKey: "list")
        item.setValue(3, forKeyPath: "place.x")
      }
      try world.coordinator.inContext { other throws in
        let item = try #require(try other.all("Item").first)
        if byBoth { item.setValue("b", forKey: "name") }
        item.setValue(Data(repeating: 2, count: 300_000), forKey: "blob")
        item.setValue(["b"] as NSArray, forKey: "list")
        item.setValue(2, forKeyPath: "place.y")
        try other.save()
      }
      try context.save()
      #expect(Self.state(item) == expected && !context.hasChanges)
      try world.coordinator.inContext { other throws in
        #expect(try other.all("Item").map(Self.state) == [expected])
      }
    }
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: try #require(world.coordinator.persistentStores[0].url).deletingLastPathComponent().path)
    #expect(files.filter { $0.contains("_EXTERNAL_DATA/") }.count <= 2)
  }

  /// A class hears of it.
  @Test(arguments: TestStore.all) func theClassIsAwakened(_ store: TestStore) throws {
    let model = NSManagedObjectModel()
    let entity = TestModel.entity("MergedThing", [TestModel.attribute("name", .stringAttributeType)])
    entity.managedObjectClassName = NSStringFromClass(MergedThing.self)
    model.entities = [entity]
    let world = try MergeWorld(store, model)
    try world.make("MergedThing", ["name": "a"])
    let context = world.context(.mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let thing = try #require(try context.all("MergedThing").first as? MergedThing)
      thing.setValue("b", forKey: "name")
      try world.elsewhere("a", "MergedThing") { $0.setValue("c", forKey: "name") }
      try context.save()
      #expect(thing.events == [.mergePolicy] && thing.text("name") == "b")
    }
  }
}

final class MergedThing: NSManagedObject {
  var events: [NSSnapshotEventType] = []

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { events.append(flags) }
}
