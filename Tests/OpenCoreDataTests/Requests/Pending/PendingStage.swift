import CoreData
import Testing

/// Contexts over one store with random changes, and what fetches in them have to give.
///
/// There are two contexts at the top, a child, a sibling of it, and a grandchild; another context saves in between.
struct PendingStage {
  let coordinator: NSPersistentStoreCoordinator
  let root: NSManagedObjectContext
  let child: NSManagedObjectContext
  let sibling: NSManagedObjectContext
  let grandchild: NSManagedObjectContext
  let second: NSManagedObjectContext

  var contexts: [NSManagedObjectContext] { [root, child, sibling, grandchild, second] }

  static func model() -> NSManagedObjectModel {
    let thing = TestModel.entity(
      "Thing",
      [
        TestModel.attribute("serial", .integer64AttributeType),
        TestModel.attribute("number", .integer32AttributeType),
        TestModel.attribute("price", .doubleAttributeType), TestModel.attribute("name", .stringAttributeType),
        TestModel.attribute("active", .booleanAttributeType), TestModel.attribute("born", .dateAttributeType),
        TestModel.attribute("code", .UUIDAttributeType), TestModel.attribute("bytes", .binaryDataAttributeType),
        TestModel.attribute("amount", .decimalAttributeType), TestModel.attribute("note", .stringAttributeType),
      ])
    let special = TestModel.entity("Special", [TestModel.attribute("extra", .stringAttributeType)], parent: thing)
    let group = TestModel.entity("Group", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(thing, "group", max: 1, group, "things", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [thing, special, group]
    return model
  }

  init(_ store: TestStore, rows: Int = 24, _ random: inout SeededGenerator) throws {
    coordinator = try store.coordinator(Self.model())
    func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.parent = parent
      return context
    }
    root = TestModel.context(coordinator)
    second = TestModel.context(coordinator)
    self.child = child(of: root)
    sibling = child(of: root)
    grandchild = child(of: self.child)
    for context in contexts {
      context.performAndWait {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.undoManager = UndoManager()
      }
    }
    let first = TestModel.context(coordinator)
    try first.performAndWait { () throws in
      let groups = (0..<3).map { first.make("Group", ["name": "g\($0)"]) }
      for serial in 0..<rows {
        let thing = first.make(serial % 3 == 0 ? "Special" : "Thing", ["serial": serial])
        for key in Self.keys { Self.set(key, of: thing, &random) }
        thing.setValue(groups.randomElement(using: &random), forKey: "group")
      }
      try first.save()
    }
  }

  // MARK: Random values and predicates

  static let keys = ["number", "price", "name", "active", "born", "code", "bytes", "amount", "note"]
  private static let names: [String?] = ["a", "A", "ä", "a\u{308}", "b", "ab", "5", "", nil]
  private static let codes = (0..<3).map { UUID(uuid: (UInt8($0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  static func value(_ key: String, _ random: inout SeededGenerator) -> Any? {
    if Int.random(in: 0..<6, using: &random) == 0 { return nil }
    let number = Int.random(in: 0..<6, using: &random)
    switch key {
    case "number": return number
    case "price": return Double(number) / 2
    case "name", "note": return names.randomElement(using: &random) ?? nil
    case "active": return number % 2 == 0
    case "born": return Date(timeIntervalSinceReferenceDate: Double(number))
    case "code": return codes[number % 3]
    case "bytes": return Data([UInt8(number)])
    default: return NSDecimalNumber(value: number)
    }
  }

  static func set(_ key: String, of thing: NSManagedObject, _ random: inout SeededGenerator) {
    thing.setValue(value(key, &random), forKey: key)
  }

  static func predicate(_ random: inout SeededGenerator, depth: Int = 2) -> NSPredicate {
    if depth > 0, Bool.random(using: &random) {
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in predicate(&random, depth: depth - 1) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
      case 2, 3: return NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      default: return NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
      }
    }
    let key = keys.randomElement(using: &random) ?? "number"
    let value = value(key, &random) ?? NSNull()
    let isText = key == "name" || key == "note", isOrdered = isText || !["code", "bytes", "active"].contains(key)
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1, 2: return NSPredicate(format: "%K == %@", argumentArray: [key, value])
    case 3:
      let values = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in Self.value(key, &random) }
      return NSPredicate(format: "%K IN %@", argumentArray: [key, values])
    case 4 where isOrdered:
      let operation = ["<", "<=", ">", ">="].randomElement(using: &random) ?? "<"
      return NSPredicate(format: "%K \(operation) %@", argumentArray: [key, value])
    case 5 where isText && value is String:
      let operation = ["BEGINSWITH", "CONTAINS[c]", "==[cd]", "LIKE"].randomElement(using: &random) ?? "LIKE"
      return NSPredicate(format: "%K \(operation) %@", argumentArray: [key, value])
    case 6 where key == "number": return NSPredicate(format: "number == %@", argumentArray: [1.0])
    case 7 where key == "price": return NSPredicate(format: "price BETWEEN {0.5, 2}")
    case 8: return NSPredicate(format: "1 == number")
    default: return NSPredicate(format: "%K != %@", argumentArray: [key, value])
    }
  }

  // MARK: Random changes

  /// Changes something in a context; gives what was done, for messages.
  func change(_ context: NSManagedObjectContext, _ serial: inout Int, _ random: inout SeededGenerator) throws -> String
  {
    let things = try context.all("Thing", sortedBy: "serial")
    guard let thing = things.randomElement(using: &random) else { return "nothing" }
    let key = Self.keys.randomElement(using: &random) ?? "note"
    let number = thing.value(forKey: "serial") ?? 0
    switch Int.random(in: 0..<22, using: &random) {
    case 0...4:
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        serial += 1
        let new = context.make(serial % 3 == 0 ? "Special" : "Thing", ["serial": serial])
        for key in Self.keys { Self.set(key, of: new, &random) }
      }
      return "insert up to \(serial)"
    case 5...9:
      Self.set(key, of: thing, &random)
      return "set \(key) of \(number)"
    case 10:
      for thing in things { Self.set("note", of: thing, &random) }
      return "set all notes"
    case 11:
      context.delete(thing)
      return "delete \(number)"
    case 12:
      guard let new = things.last(where: \.isInserted) else { return "no insertion" }
      context.delete(new)
      return "delete the inserted \(new.value(forKey: "serial") ?? 0)"
    case 13:
      context.undo()
      return "undo"
    case 14:
      context.redo()
      return "redo"
    case 15:
      let merges = Bool.random(using: &random)
      context.refresh(thing, mergeChanges: merges)
      return "refresh \(number) \(merges)"
    case 16:
      guard let pending = things.filter(\.hasChanges).randomElement(using: &random) else { return "no pending" }
      pending.setPrimitiveValue(Self.value(key, &random), forKey: key)
      return "set the primitive \(key) of \(pending.value(forKey: "serial") ?? 0)"
    case 17:
      let group = try context.all("Group").randomElement(using: &random)
      thing.setValue(Bool.random(using: &random) ? group : nil, forKey: "group")
      return "relate \(number)"
    case 18:
      try context.obtainPermanentIDs(for: things.filter { $0.objectID.isTemporaryID })
      return "permanent IDs"
    case 19:
      context.refreshAllObjects()
      return "refresh all"
    case 20:
      if Int.random(in: 0..<3, using: &random) == 0 {
        context.rollback()
        return "rollback"
      }
      context.processPendingChanges()
      return "event"
    default:
      do { try context.save() } catch {
        context.rollback()
        return "rollback after \(error)"
      }
      return "save"
    }
  }

  /// Changes rows of the store behind the contexts' back.
  func changeBelow(_ random: inout SeededGenerator) throws {
    let other = TestModel.context(coordinator)
    try other.performAndWait { () throws in
      let things = try other.all("Thing", sortedBy: "serial")
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        guard let thing = things.randomElement(using: &random) else { return }
        Self.set(Self.keys.randomElement(using: &random) ?? "note", of: thing, &random)
      }
      try other.save()
    }
  }

  // MARK: What there has to be

  /// The IDs that a fetch has to give: all objects, of which the nearest context that has changed them decides, else the
  /// store's row, evaluated in memory.
  func expected(
    _ request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let all = NSFetchRequest<NSManagedObject>(entityName: request.entityName ?? "")
    all.includesSubentities = request.includesSubentities
    // Relationships make a fetch ask all changed objects.
    all.predicate = NSPredicate(format: "group == nil OR group != nil")
    let ids = try context.fetch(all).map(\.objectID)
    var found: [(id: NSManagedObjectID, values: [String: Any])] = []
    for id in ids {
      let values = try values(of: id, in: context)
      if request.predicate?.evaluate(with: values) ?? true { found.append((id, values)) }
    }
    let order = request.sortDescriptors ?? []
    found.sort { first, second in
      for descriptor in order {
        switch descriptor.compare(first.values, to: second.values) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return false
    }
    let rest = found.map(\.id).dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  private func values(of id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> [String: Any] {
    var level: NSManagedObjectContext? = context
    while let next = level {
      level = next.parent
      let values = next.performAndWait { () -> [String: Any]? in
        guard let own = next.registeredObject(for: id), own.hasChanges else { return nil }
        return own.dictionaryWithValues(forKeys: ["serial"] + Self.keys)
      }
      if let values { return values }
    }
    let reader = TestModel.context(coordinator)
    return try reader.performAndWait {
      try reader.existingObject(with: id).dictionaryWithValues(forKeys: ["serial"] + Self.keys)
    }
  }
}
