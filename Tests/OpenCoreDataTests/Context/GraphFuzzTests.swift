import CSQLite
import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random edits of a graph, saved, and then read in four ways: as kept by the test, by the context that made them, by a
/// fresh context, and by SQLite itself. `SOAK=20` makes it twenty times as long; the seed is printed.
@Suite struct GraphFuzzTests {
  @Test(arguments: 0..<(4 * Soak.factor), TestStore.all) func randomEdits(_ run: Int, _ store: TestStore) throws {
    let seed = SeededGenerator.makeSeed(for: "random edits")
    do {
      var fuzz = try GraphFuzz(store, seed: seed)
      for _ in 0..<12 { try fuzz.round() }
    } catch {
      Issue.record("SEED=\(seed): \(error)")
    }
  }
}

private struct GraphFuzz {
  /// What the test knows: by number, each object's entity, value and members by relationship.
  struct Item: Equatable {
    var entity: String
    var value: Int
    var links: [String: Set<Int>] = [:]

    /// Without relationships that have no members.
    var linked: Item { Item(entity: entity, value: value, links: links.filter { !$0.value.isEmpty }) }
  }

  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// The relationships of people and clubs, with inverse and whether they are to-many.
  static let links: [String: (inverse: String, isMany: Bool, inverseIsMany: Bool, to: String)] = [
    "boss": ("reports", false, true, "Person"), "reports": ("boss", true, false, "Person"),
    "passport": ("holder", false, false, "Passport"), "holder": ("passport", false, false, "Person"),
    "clubs": ("members", true, true, "Club"), "members": ("clubs", true, true, "Person"),
    "friends": ("friends", true, true, "Person"), "partner": ("partner", false, false, "Person"),
  ]
  static let keys: [String: [String]] = [
    "Person": ["boss", "reports", "passport", "clubs", "friends", "partner"], "Passport": ["holder"],
    "Club": ["members"],
  ]

  static func kind(_ entity: String) -> String { ["Employee", "Manager"].contains(entity) ? "Person" : entity }

  /// The file of a SQLite store, which is read besides.
  let file: URL?
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  var random: SeededGenerator
  var items: [Int: Item] = [:]
  var saved: [Int: Item] = [:]
  var nextNumber = 1
  /// Held or not, at random: released objects must come back with the same state.
  var held: [Int: NSManagedObject] = [:]
  var log: [String] = []

  init(_ store: TestStore, seed: UInt64) throws {
    let url = try store.place()
    file = store.type == NSSQLiteStoreType ? url : nil
    coordinator = try Society.coordinator(store, url: url)
    context = TestModel.context(coordinator)
    random = SeededGenerator(seed: seed)
    context.faultBatchSize = [1, 3, 256].randomElement(using: &random)!
  }

  mutating func round() throws {
    let context = context
    try context.performAndWait {
      for _ in 0..<Int.random(in: 1...25, using: &random) { try edit() }
      try compare(try graph(context), items, "context before the save")
      if Int.random(in: 0..<8, using: &random) == 0 {
        log.append("rollback")
        context.rollback()
        items = saved
        held = held.filter { items[$0.key] != nil }
      } else {
        log.append("save")
        try context.save()
        saved = items
      }
      try compare(try graph(context), items, "context")
      try compare(try coordinator.inContext(graph), saved, "fresh context")
      if let file { try compare(try GraphReader(url: file, coordinator: coordinator).graph(), saved, "database") }
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        log.append("reset")
        context.reset()
        held = [:]
      case 1:
        log.append("refreshAllObjects")
        context.refreshAllObjects()
      case 2: coordinator.emptyRowCache()
      case 3:
        for (number, object) in held where number % 2 == 0 { context.refresh(object, mergeChanges: number % 4 == 0) }
      case 4: try editElsewhere()
      default: break
      }
      held = held.filter { _ in Bool.random(using: &random) }
    }
  }

  /// Another context changes values; this one learns of it by refreshing.
  private mutating func editElsewhere() throws {
    guard let number = saved.keys.sorted().randomElement(using: &random) else { return }
    log.append("elsewhere \(number)")
    try coordinator.inContext { other in
      let object = try find(number, other)
      object.setValue(-number, forKey: object.entity.name == "Passport" || object.entity.name == "Club" ? "tag" : "age")
      try other.save()
    }
    items[number]?.value = -number
    saved = items
    context.refreshAllObjects()
  }

  // MARK: Edits

  private mutating func edit() throws {
    let numbers = items.keys.sorted()
    switch numbers.isEmpty ? 0 : Int.random(in: 0..<20, using: &random) {
    case 0...3: insert(["Person", "Employee", "Manager", "Passport", "Club"].randomElement(using: &random)!)
    case 4: try delete(numbers.randomElement(using: &random)!)
    case 5...6:
      let number = numbers.randomElement(using: &random)!, value = Int.random(in: 0..<100, using: &random)
      let object = try object(number)
      object.setValue(value, forKey: ["Passport", "Club"].contains(items[number]!.entity) ? "tag" : "age")
      items[number]?.value = value
    case 7:
      log.append("processPendingChanges")
      context.processPendingChanges()
    default: try link(numbers.randomElement(using: &random)!)
    }
  }

  private mutating func insert(_ entity: String) {
    let number = nextNumber
    nextNumber += 1
    log.append("insert \(entity) \(number)")
    let isPerson = Self.kind(entity) == "Person"
    held[number] = context.make(entity, ["number": number, isPerson ? "age" : "tag": 1])
    items[number] = Item(entity: entity, value: 1)
  }

  private mutating func delete(_ number: Int) throws {
    log.append("delete \(number)")
    context.delete(try object(number))
    context.processPendingChanges()
    forget(number)
  }

  private mutating func forget(_ number: Int) {
    guard let item = items[number] else { return }
    for (key, others) in item.links { for other in others { unrelate(number, key, other) } }
    items[number] = nil
    held[number] = nil
    // Person.passport cascades.
    for passport in item.links["passport"] ?? [] { forget(passport) }
  }

  private mutating func link(_ number: Int) throws {
    let key = Self.keys[Self.kind(items[number]!.entity)]!.randomElement(using: &random)!
    let link = Self.links[key]!
    let candidates = items.filter { Self.kind($0.value.entity) == link.to }.keys.sorted()
    guard let other = candidates.randomElement(using: &random) else { return }
    let owner = try object(number), member = try object(other)
    if link.isMany {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        log.append("\(number).\(key) remove \(other)")
        owner.mutableSetValue(forKey: key).remove(member)
        unrelate(number, key, other)
      case 1:
        let members = candidates.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        log.append("\(number).\(key) = \(members)")
        owner.setValue(NSSet(array: try members.map { try object($0) }), forKey: key)
        for old in items[number]?.links[key] ?? [] where !members.contains(old) { unrelate(number, key, old) }
        for new in members { relate(number, key, new) }
      default:
        log.append("\(number).\(key) add \(other)")
        owner.mutableSetValue(forKey: key).add(member)
        relate(number, key, other)
      }
    } else if Int.random(in: 0..<4, using: &random) == 0 {
      log.append("\(number).\(key) = nil")
      owner.setValue(nil, forKey: key)
      for old in items[number]?.links[key] ?? [] { unrelate(number, key, old) }
    } else {
      log.append("\(number).\(key) = \(other)")
      owner.setValue(member, forKey: key)
      relate(number, key, other)
    }
  }

  private mutating func relate(_ number: Int, _ key: String, _ other: Int) {
    let link = Self.links[key]!
    if items[number]!.links[key]?.contains(other) == true { return }
    if !link.isMany { for old in items[number]!.links[key] ?? [] { unrelate(number, key, old) } }
    if !link.inverseIsMany { for old in items[other]!.links[link.inverse] ?? [] { unrelate(other, link.inverse, old) } }
    items[number]!.links[key, default: []].insert(other)
    items[other]!.links[link.inverse, default: []].insert(number)
  }

  private mutating func unrelate(_ number: Int, _ key: String, _ other: Int) {
    items[number]?.links[key]?.remove(other)
    items[other]?.links[Self.links[key]!.inverse]?.remove(number)
  }

  // MARK: Reading

  private mutating func object(_ number: Int) throws -> NSManagedObject {
    if let object = held[number] { return object }
    let object = try find(number, context)
    held[number] = object
    return object
  }

  private func find(_ number: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    for entity in ["Person", "Passport", "Club"] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "number == %ld", number)
      if let object = try context.fetch(request).first { return object }
    }
    throw Mismatch(description: "\(number) is not there\n\(log.joined(separator: "\n"))")
  }

  private func graph(_ context: NSManagedObjectContext) throws -> [Int: Item] {
    var graph: [Int: Item] = [:]
    for (entity, keys) in Self.keys {
      for object in try context.all(entity) {
        var item = Item(
          entity: object.entity.name ?? "", value: object.number(entity == "Person" ? "age" : "tag") ?? -1)
        for key in keys {
          let members = Self.links[key]!.isMany ? Array(object.many(key)) : [object.one(key)].compactMap { $0 }
          item.links[key] = Set(members.compactMap { $0.number("number") })
          if item.links[key]?.count != members.count { throw Mismatch(description: "dead members in \(key)") }
        }
        graph[object.number("number") ?? -1] = item
      }
    }
    return graph
  }

  private func compare(_ found: [Int: Item], _ expected: [Int: Item], _ place: String) throws {
    for number in Set(found.keys).union(expected.keys) {
      let wanted = expected[number]?.linked, got = found[number]?.linked
      if wanted != got {
        throw Mismatch(
          description: "\(place): \(number) is \(got.map { "\($0)" } ?? "nil"), expected "
            + "\(wanted.map { "\($0)" } ?? "nil")\n\(log.joined(separator: "\n"))")
      }
    }
  }

  /// The graph as SQLite tells it.
  private struct GraphReader {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    func graph() throws -> [Int: Item] {
      var handle: OpaquePointer?
      guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
        throw Mismatch(description: "cannot open the database")
      }
      defer { sqlite3_close(handle) }
      let model = coordinator.managedObjectModel
      let names = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.storeNumber, $0.name ?? "") })
      var graph: [Int: Item] = [:]
      var byKey: [String: [Int: Int]] = [:]
      for (table, value) in [("PERSON", "ZAGE"), ("PASSPORT", "ZTAG"), ("CLUB", "ZTAG")] {
        for row in rows("SELECT Z_PK, Z_ENT, ZNUMBER, \(value) FROM Z\(table)", handle) {
          graph[row[2]] = Item(entity: names[row[1]] ?? "?", value: row[3])
          byKey[table, default: [:]][row[0]] = row[2]
        }
      }
      func relate(_ a: Int?, _ key: String, _ b: Int?) throws {
        guard let a, let b else { throw Mismatch(description: "a dead key in \(key)") }
        graph[a]?.links[key, default: []].insert(b)
        graph[b]?.links[GraphFuzz.links[key]!.inverse, default: []].insert(a)
      }
      let people = byKey["PERSON"] ?? [:], passports = byKey["PASSPORT"] ?? [:], clubs = byKey["CLUB"] ?? [:]
      for row in rows("SELECT Z_PK, ZBOSS FROM ZPERSON WHERE ZBOSS IS NOT NULL", handle) {
        try relate(people[row[0]], "boss", people[row[1]])
      }
      for row in rows("SELECT Z_PK, ZPARTNER FROM ZPERSON WHERE ZPARTNER IS NOT NULL", handle) {
        try relate(people[row[0]], "partner", people[row[1]])
      }
      for row in rows("SELECT Z_PK, ZPASSPORT FROM ZPERSON WHERE ZPASSPORT IS NOT NULL", handle) {
        try relate(people[row[0]], "passport", passports[row[1]])
      }
      for row in rows("SELECT Z_PK, ZHOLDER FROM ZPASSPORT WHERE ZHOLDER IS NOT NULL", handle) {
        try relate(people[row[1]], "passport", passports[row[0]])
      }
      let schema = SQLModel(model: model)
      for (key, members) in [("clubs", clubs), ("friends", people)] {
        guard
          case .join(let table, let source, let member, _, _)? = schema.entity(named: "Person")?.toManys[key]?.storage
        else { throw Mismatch(description: "no join table for \(key)") }
        for row in rows("SELECT \(source), \(member) FROM \(table)", handle) {
          try relate(people[row[0]], key, members[row[1]])
        }
      }
      return graph
    }

    private func rows(_ sql: String, _ handle: OpaquePointer?) -> [[Int]] {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        Issue.record("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        return []
      }
      defer { sqlite3_finalize(statement) }
      var result: [[Int]] = []
      while sqlite3_step(statement) == SQLITE_ROW {
        result.append((0..<sqlite3_column_count(statement)).map { Int(sqlite3_column_int64(statement, $0)) })
      }
      return result
    }
  }
}
