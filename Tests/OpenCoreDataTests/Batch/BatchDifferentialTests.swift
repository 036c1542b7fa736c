import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A batch leaves the file that the same change through objects leaves.
@Suite struct BatchDifferentialTests {
  private struct World {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    init(_ model: NSManagedObjectModel) throws {
      url = try TestModel.temporaryFile()
      coordinator = try TestModel.coordinator(model, url: url)
    }

    /// A world of its own with what another has.
    init(copying other: World, _ model: NSManagedObjectModel) throws {
      url = try TestModel.temporaryFile()
      try other.coordinator.backUp(other.coordinator.persistentStores[0], to: url)
      coordinator = try TestModel.coordinator(model, url: url)
    }
  }

  /// Attributes of all kinds, in the types that values come in.
  @Test(arguments: RandomSeeds.seeds(4)) func inserts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let batch = try World(BatchModel.products()), objects = try World(BatchModel.products())
    for _ in 0..<5 {
      let entity = Bool.random(using: &random) ? "Product" : "Book"
      let rows = (0..<Int.random(in: 0...30, using: &random)).map { _ in row(entity, &random) }
      let kind = Int.random(in: 0...3, using: &random)
      _ = try batch.coordinator.inContext { context in
        try context.insertBatch(request(entity, rows, kind))
      }
      try objects.coordinator.inContext { context in
        for row in rows { _ = context.make(entity, row) }
        try context.save()
      }
      #expect(try BatchModel.contents(batch.url) == BatchModel.contents(objects.url))
    }
    #expect(try StoreCheck.errors(batch.url, model: BatchModel.products()).isEmpty)
  }

  private func request(_ entity: String, _ rows: [[String: Any]], _ kind: Int) -> NSBatchInsertRequest {
    var left = rows[...]
    switch kind {
    case 0: return NSBatchInsertRequest(entityName: entity, objects: rows)
    case 1: return NSBatchInsertRequest(entityName: entity, sequence: rows)
    case 2:
      return NSBatchInsertRequest(entityName: entity) { (row: NSMutableDictionary) in
        guard let next = left.popFirst() else { return true }
        row.addEntries(from: next)
        return false
      }
    default:
      return NSBatchInsertRequest(entityName: entity) { (object: NSManagedObject) in
        guard let next = left.popFirst() else { return true }
        object.setValuesForKeys(next)
        return false
      }
    }
  }

  private func row(_ entity: String, _ random: inout SeededGenerator) -> [String: Any] {
    let number = Int.random(in: -1000...1000, using: &random)
    let values: [String: [Any]] = [
      "code": [number, NSNumber(value: number), Int8(5), NSNull(), Double(number)],
      "stock": [number, NSNull(), true], "rank": [number, Int32(number)],
      "price": [Decimal(number) / 4, NSDecimalNumber(value: 0.1), number, NSNull()],
      "made": [Date(timeIntervalSinceReferenceDate: Double(number)), NSNull()],
      "weight": [Double(number) / 3, Float(1.5), number, NSNumber(value: 2.5)], "height": [0.1, Float(0.1), number],
      "isNew": [true, false, 1, NSNumber(value: false), NSNull()], "serial": [UUID(), NSNull()],
      "link": [URL(string: "https://example.com/\(number)")!, NSNull()],
      "picture": [Data([1, 2, 3]), Data(), NSNull()], "labels": [["a", "b"] as NSArray, NSNull()],
      "mood": ["gone", NSNull()], "size": [["width": 2.5], ["width": 1, "unit": "m"], NSNull()],
    ]
    var row: [String: Any] = ["name": ["", "ä", "name \(number)", "\u{1F600}"].randomElement(using: &random) ?? ""]
    for (key, choices) in values.sorted(by: { $0.key < $1.key }) where Bool.random(using: &random) {
      row[key] = choices.randomElement(using: &random)
    }
    if entity == "Book", Bool.random(using: &random) { row["pages"] = number }
    return row
  }

  /// Delete rules of all kinds at both ends of every relationship.
  @Test(arguments: RandomSeeds.seeds(16)) func deletions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let choices: [NSDeleteRule] = [
      .nullifyDeleteRule, .nullifyDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
      .noActionDeleteRule,
    ]
    let isSafe = Bool.random(using: &random), isOrdered = Bool.random(using: &random)
    var rules: [String: NSDeleteRule] = [:]
    let names = ["children", "parent", "tags", "card", "friends", "home", "box"].map { "Node.\($0)" }
    for name in names + ["Box.nodes", "Tag.nodes", "Card.node", "Leaf.home"] {
      rules[name] = choices.randomElement(using: &random)
      if isSafe, rules[name] == .noActionDeleteRule { rules[name] = .nullifyDeleteRule }
    }
    let make = { BatchModel.graph(rule: { rules[$0] ?? .nullifyDeleteRule }, isOrdered: isOrdered) }
    let batch = try World(make())
    var objects = try World(make()), compared = 0
    let state = random
    for world in [batch, objects] {
      random = state
      try world.coordinator.inContext { try fill($0, &random) }
    }
    #expect(try BatchModel.contents(batch.url) == BatchModel.contents(objects.url))
    for _ in 0..<6 {
      let entity = ["Node", "Leaf", "Box", "Tag", "Card"].randomElement(using: &random) ?? "Node"
      let name = "name == 'N\(Int.random(in: 0...7, using: &random))'"
      let format = entity == "Node" ? [name, "age < 3", "box.name == 'N1'", "ANY tags.name == 'N2'"] : [name]
      let predicate = format.randomElement(using: &random) ?? name
      // Of nodes, leaves may be among them.
      let ids = entity != "Node" && Bool.random(using: &random)
      let before = try BatchModel.contents(objects.url)
      let failure = Result {
        try batch.coordinator.inContext { context in
          if ids {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: predicate)
            let delete = NSBatchDeleteRequest(objectIDs: try context.fetch(request).map(\.objectID))
            _ = try context.execute(delete)
          } else {
            try context.deleteBatch(entity, where: predicate)
          }
        }
      }
      let expected = Result {
        try objects.coordinator.inContext { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: predicate)
          for object in try context.fetch(request) { context.delete(object) }
          try context.save()
        }
      }
      switch (failure, expected) {
      case (.success, .success): break
      case (_, .failure(let error)) where (error as NSError).code == NSManagedObjectMergeError && !isSafe:
        // What no action has left with references to nothing cannot be changed one by one: the save finds that the rows are
        // gone which it would have to change. It has changed nothing, and the walk goes on with what the batch made.
        #expect(Self.refersToWhatIsGone(error as NSError), "\(entity) where \(predicate): \(error)")
        #expect(try BatchModel.contents(objects.url) == before)
        let dangling = try StoreCheck.errors(objects.url, model: make())
        #expect(compared > 0 && !dangling.isEmpty)
        objects = try World(copying: batch, make())
        continue
      case (.failure(let error), .failure):
        #expect((error as NSError).code == NSValidationRelationshipDeniedDeleteError, "\(error)")
      default: Issue.record("\(entity) where \(predicate), \(rules): \(failure) but \(expected)")
      }
      let left = try BatchModel.contents(batch.url, withoutVersions: true)
      let right = try BatchModel.contents(objects.url, withoutVersions: true)
      #expect(left == right, "\(entity) where \(predicate), \(rules.map { "\($0.key) \($0.value.rawValue)" }.sorted())")
      if left != right { return }
      compared += 1
    }
    #expect(try StoreCheck.errors(batch.url, model: make()) == StoreCheck.errors(objects.url, model: make()))
    if isSafe { #expect(try StoreCheck.errors(batch.url, model: make()).filter { !$0.contains("home") }.isEmpty) }
  }

  /// Whether the conflicts of a save are all with rows that are gone.
  private static func refersToWhatIsGone(_ error: NSError) -> Bool {
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    return !conflicts.isEmpty && conflicts.allSatisfy { $0.newVersionNumber == 0 && $0.persistedSnapshot == nil }
  }

  private func fill(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
    func all(_ entity: String, _ count: Int) -> [NSManagedObject] {
      (0..<count).map { context.make(entity, ["name": "N\($0 % 8)"]) }
    }
    let boxes = all("Box", 4), tags = all("Tag", 4), cards = all("Card", 12)
    let nodes = all("Node", 10) + all("Leaf", 10)
    try context.save()
    for (index, node) in nodes.enumerated() {
      node.setValue(Int.random(in: 0...9, using: &random), forKey: "age")
      if Bool.random(using: &random) { node.setValue(nodes.randomElement(using: &random), forKey: "parent") }
      if Bool.random(using: &random) { node.setValue(boxes.randomElement(using: &random), forKey: "box") }
      if index < cards.count, Bool.random(using: &random) { node.setValue(cards[index], forKey: "card") }
      if index >= 10, Bool.random(using: &random) { node.setValue(boxes.randomElement(using: &random), forKey: "home") }
      var members: [NSManagedObject] = []
      for tag in tags where Bool.random(using: &random) { members.append(tag) }
      node.set(members, forKey: "tags")
      if Int.random(in: 0...2, using: &random) == 0, let friend = nodes.randomElement(using: &random) {
        node.mutableSetValue(forKey: "friends").add(friend)
      }
    }
    try context.save()
  }

  @Test(arguments: RandomSeeds.seeds(5)) func updates(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let batch = try World(BatchModel.products()), objects = try World(BatchModel.products())
    for world in [batch, objects] {
      var own = random
      try world.coordinator.inContext { context in
        let shops = (0..<3).map { context.make("Shop", ["name": "S\($0)"]) }
        for number in 0..<30 {
          let values: [String: Any] = [
            "name": "N\(number)", "rank": number % 7, "shop": shops[number % 3], "weight": 1,
          ]
          _ = context.make(Bool.random(using: &own) ? "Product" : "Book", values)
        }
        try context.save()
      }
    }
    for _ in 0..<8 {
      let number = Int.random(in: 0...6, using: &random)
      let entity = Bool.random(using: &random) ? "Product" : "Book"
      let choices: [(String, Any)] = [
        ("name", "X\(number)"), ("stock", number), ("weight", Double(number) / 2), ("isNew", false),
        ("price", Decimal(number)),
        ("shop", NSNull()), ("picture", Data([9])), ("stock", NSExpression(format: "stock + 1")),
        ("weight", NSExpression(format: "weight * 2 + rank")), ("made", Date(timeIntervalSinceReferenceDate: 5)),
      ]
      let (key, value) = choices.randomElement(using: &random) ?? choices[0]
      let predicate = NSPredicate(format: "rank == %d OR shop.name == 'S\(number)'", number)
      let count = try batch.coordinator.inContext { context in
        let request = NSBatchUpdateRequest(entityName: entity)
        request.propertiesToUpdate = [key: value]
        request.predicate = predicate
        request.resultType = .updatedObjectsCountResultType
        return (try context.execute(request) as? NSBatchUpdateResult)?.result as? Int
      }
      try objects.coordinator.inContext { context in
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let found = try context.fetch(request)
        #expect(count == found.count)
        for object in found {
          let new: Any? = (value as? NSExpression).map { $0.expressionValue(with: object, context: nil) } ?? value
          object.setValue(new, forKey: key)
        }
        try context.save()
      }
      let same = try BatchModel.contents(batch.url, withoutVersions: true)
      #expect(try same == BatchModel.contents(objects.url, withoutVersions: true), "\(key) = \(value)")
    }
    #expect(try StoreCheck.errors(batch.url, model: BatchModel.products()).isEmpty)
  }
}
