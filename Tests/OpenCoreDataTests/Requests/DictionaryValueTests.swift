import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Dictionaries hold what objects give: decoded objects, large data, elements of composites")
struct DictionaryValueTests {
  /// A thing with a list, data in rows and in files, a place in a composite attribute, and a box that holds it.
  private static func model() -> NSManagedObjectModel {
    let list = TestModel.attribute("list", .transformableAttributeType)
    list.valueTransformerName = "NSSecureUnarchiveFromData"
    let large = TestModel.attribute("large", .binaryDataAttributeType)
    large.allowsExternalBinaryDataStorage = true
    let point = NSCompositeAttributeDescription()
    point.name = "point"
    point.elements = [TestModel.attribute("x", .doubleAttributeType), TestModel.attribute("y", .doubleAttributeType)]
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [TestModel.attribute("street", .stringAttributeType), point]
    let note = TestModel.attribute("note", .stringAttributeType)
    note.isTransient = true
    let thing = TestModel.entity(
      "Thing",
      [TestModel.attribute("number", .integer32AttributeType), list, large, place, note])
    let box = TestModel.entity("Box", [TestModel.attribute("label", .stringAttributeType)])
    TestModel.relate(box, "things", max: 0, thing, "box", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [thing, box]
    return model
  }

  private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private func check(_ kind: TestStore, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = try kind.coordinator(Self.model(), url: try kind.place())
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      let box = context.make("Box", ["label": "b"])
      for number in 0..<4 {
        let thing = context.make("Thing", ["number": number, "box": box])
        if number < 3 { thing.setValue(["a", "b"] as NSArray, forKey: "list") }
        thing.setValue(number < 2 ? Self.bytes : Data([1, 2]), forKey: "large")
        thing.setValue(["street": "S\(number % 2)", "point": ["x": 1.5]] as [String: Any], forKey: "place")
      }
      try context.save()
      try body(context)
    }
  }

  private func request(_ properties: [Any]?, sortedBy key: String? = "number") -> NSFetchRequest<NSDictionary> {
    let request = DictionaryFetchTests.request(properties, sortedBy: key)
    request.entity = nil
    let own = NSFetchRequest<NSDictionary>(entityName: "Thing")
    own.resultType = .dictionaryResultType
    (own.propertiesToFetch, own.sortDescriptors) = (request.propertiesToFetch, request.sortDescriptors)
    return own
  }

  @Test("All values by themselves", arguments: TestStore.all)
  func values(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let rows = try context.fetch(request(nil))
      #expect(rows[0]["list"] as? [String] == ["a", "b"] && rows[3]["list"] == nil)
      #expect(rows[0]["large"] as? Data == Self.bytes && rows[2]["large"] as? Data == Data([1, 2]))
      #expect(rows[1]["place.street"] as? String == "S1" && rows[1]["place.point.x"] as? Double == 1.5)
      #expect(rows[1]["place.point.y"] == nil && rows[1].count == 5)
    }
  }

  @Test(
    "A composite attribute stands for its elements, also behind a relationship", arguments: TestStore.all)
  func composites(_ kind: TestStore) throws {
    try check(kind) { context throws in
      #expect(try context.fetch(request(["place"]))[1] == ["place.street": "S1", "place.point.x": 1.5] as NSDictionary)
      #expect(try context.fetch(request(["place.point"]))[1] == ["place.point.x": 1.5] as NSDictionary)
      #expect(try context.fetch(request(["place.street"]))[1] == ["place.street": "S1"] as NSDictionary)
      let error = #expect(throws: NSError.self) { try context.fetch(request(["note"])) }
      #expect(error?.localizedDescription == "Invalid keypath note passed to setPropertiesToFetch: (entity Thing)")
    }
  }

  @Test("Values in files and decoded objects are told apart by their bytes", arguments: TestStore.all)
  func comparing(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let distinct = request(["large", "list"], sortedBy: nil)
      distinct.returnsDistinctResults = true
      let rows = try context.fetch(distinct)
      #expect(rows.count == 3)
      #expect(rows.count { $0["large"] as? Data == Self.bytes && $0["list"] as? [String] == ["a", "b"] } == 1)
      let groups = request(
        ["place.street", "large", DictionaryFetchTests.computed("n", "count:(number)")], sortedBy: nil)
      groups.propertiesToGroupBy = ["place.street", "large"]
      #expect(try context.fetch(groups).map { $0["n"] as? Int } == [1, 1, 1, 1])
      groups.propertiesToFetch = ["large", DictionaryFetchTests.computed("n", "count:(number)")]
      groups.propertiesToGroupBy = ["large"]
      #expect(try context.fetch(groups).map { $0["n"] as? Int } == [2, 2])
    }
  }

  @Test("A store of one's own is asked for dictionaries, and may refuse")
  func incremental() throws {
    NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: ListStore.name)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    try coordinator.addPersistentStore(
      ofType: ListStore.name, configurationName: nil, at: URL(string: "list://here"))
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      #expect(try context.fetch(request(["number"])) == [["number": 7] as NSDictionary])
      #expect(try context.count(for: request(["number"])) == 1)
      let error = #expect(throws: NSError.self) { try context.fetch(request(["large"])) }
      #expect(error?.localizedDescription.contains("an array of dictionaries is expected") == true)
    }
  }
}

/// Answers requests for dictionaries of numbers.
private final class ListStore: NSIncrementalStore, @unchecked Sendable {  // has no state
  static let name = "DictionaryListStore"

  override var type: String { Self.name }

  override func loadMetadata() throws { metadata = [NSStoreUUIDKey: "list", NSStoreTypeKey: Self.name] }

  override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    let fetch = request as? NSFetchRequest<any NSFetchRequestResult>
    guard fetch?.resultType == .dictionaryResultType, fetch?.propertiesToFetch as? [String] == ["number"],
      fetch?.sortDescriptors?.count == 1
    else { return 5 }
    return [["number": 7] as NSDictionary]
  }
}
