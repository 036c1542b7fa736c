import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What SQLite gives for random requests is what the evaluator gives in a store in memory.
@Suite("Dictionaries of a SQLite store and of one in memory are the same")
struct DictionaryDifferentialTests {
  private static let attributes = [
    "name", "age", "weight", "height", "active", "born", "uid", "price", "link", "big", "photo", "boss.name",
    "boss.age",
    "boss.boss.born", "boss",
  ]
  private static let rowExpressions = [
    "age + 1", "weight * 2", "uppercase:(name)", "length:(name)", "tags.@count", "boss.age - age", "abs:(age)",
    "SUBQUERY(tags, $t, $t.rank > 0).@count", "TERNARY(age > 1, 'x', 'y')", "7", "tags.@max.rank",
  ]
  private static let aggregates = [
    "count:(name)", "sum:(age)", "min:(born)", "max:(price)", "average:(weight)", "count:(boss)", "max:(boss.age)",
    "count:(tags)", "sum:(tags.rank)", "min:(tags.rank)", "max:(tags.label)", "sum:(age) + count:(name)",
    "median:(age)", "average:(tags.rank)", "count:(tags.label)", "max:(age + 1)",
  ]
  private static let having = [
    "count:(name) > 1", "$first > 1", "sum:(age) < 4", "NOT ($first == nil)", "max:(age) BETWEEN {0, 3} OR $first == 0",
  ]
  private static let predicates = ["age > 0", "boss != nil", "ANY tags.rank > 0", "name CONTAINS[cd] 'a'", "age != 2"]

  private func coordinator(_ kind: TestStore) throws -> NSPersistentStoreCoordinator {
    return try kind.coordinator(PeopleFixture.model())
  }

  /// A request for the values of random columns, grouped or not.
  private func request(_ random: inout SeededGenerator) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(
      entityName: Int.random(in: 0..<4, using: &random) == 0 ? "Employee" : "Person")
    request.resultType = .dictionaryResultType
    request.includesSubentities = Bool.random(using: &random)
    if Bool.random(using: &random) {
      request.predicate = NSPredicate(format: Self.predicates.randomElement(using: &random) ?? "age > 0")
    }
    let names = Array(Self.attributes.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let computed = Self.rowExpressions.shuffled(using: &random).prefix(2)
      request.propertiesToFetch =
        names + computed.enumerated().map { DictionaryFetchTests.computed("e\($0)", $1) }
      request.returnsDistinctResults = Bool.random(using: &random)
    case 1:
      let some = Self.aggregates.shuffled(using: &random).prefix(3)
      request.propertiesToFetch = some.enumerated().map { DictionaryFetchTests.computed("a\($0)", $1) }
    default:
      let some = Self.aggregates.shuffled(using: &random).prefix(3).enumerated()
      request.propertiesToFetch =
        names + some.map { DictionaryFetchTests.computed($0 == 0 ? "first" : "a\($0)", $1) }
      request.propertiesToGroupBy = names
      if Bool.random(using: &random) {
        request.havingPredicate = NSPredicate(format: Self.having.randomElement(using: &random) ?? "$first > 1")
      }
      if Bool.random(using: &random) {
        request.sortDescriptors = [NSSortDescriptor(key: "first", ascending: Bool.random(using: &random))]
      }
    }
    return request
  }

  /// The dictionaries with what differs by nature told in the same way: objects by their names, numbers rounded.
  private func plain(_ rows: [NSDictionary], _ context: NSManagedObjectContext) -> [String] {
    rows.map { row in
      row.allKeys.compactMap { $0 as? String }.sorted().map { key -> String in
        switch row[key] {
        case let id as NSManagedObjectID: "\(key)=\(context.object(with: id).value(forKey: "big") ?? "nil")"
        case let number as NSNumber: "\(key)=\(Double(String(format: "%.6g", number.doubleValue)) ?? .nan)"
        case let text as String: "\(key)=\(Array(text.utf8))"
        case let value: "\(key)=\(value ?? "nil")"
        }
      }.joined(separator: " ")
    }
  }

  @Test("Random columns, groups, conditions and orders", arguments: RandomSeeds.seeds(4))
  func random(seed: UInt64) throws {
    let kinds = [TestStore.sqlite, .inMemory]
    let contexts = try kinds.map { TestModel.context(try coordinator($0)) }
    for context in contexts {
      try context.performAndWait { () throws in
        var random = SeededGenerator(seed: seed)
        let objects = RandomPeople(in: context, &random)
        for (number, person) in objects.people.enumerated() { person.setValue(number, forKey: "big") }
        try context.save()
      }
    }
    var random = SeededGenerator(seed: seed &+ 99)
    for _ in 0..<60 {
      let request = request(&random)
      var results: [[String]] = []
      var counts: [Int] = []
      for context in contexts {
        try context.performAndWait { () throws in
          results.append(plain(try context.fetch(request), context))
          counts.append(try context.count(for: request))
        }
      }
      // Whole lists would fill pages.
      let (sql, memory) = (results[0].sorted(), results[1].sorted())
      let difference = (sql.filter { !memory.contains($0) }.prefix(2), memory.filter { !sql.contains($0) }.prefix(2))
      let note = "seed \(seed): \(request.propertiesToFetch ?? []) by \(request.propertiesToGroupBy ?? [])"
      let isSame = sql == memory
      #expect(isSame, "\(note): \(difference)")
      #expect(counts == results.map(\.count), "\(note)")
    }
  }

  @Test("Pages of a complete order", arguments: TestStore.all)
  func pages(_ kind: TestStore) throws {
    let context = TestModel.context(try coordinator(kind))
    try context.performAndWait { () throws in
      var random = SeededGenerator(seed: 5)
      let objects = RandomPeople(in: context, &random)
      for (number, person) in objects.people.enumerated() { person.setValue(number, forKey: "big") }
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Person")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["big"]
      request.sortDescriptors = [
        NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "big", ascending: true),
      ]
      let all = try context.fetch(request)
      for (offset, limit) in [(0, 3), (4, 7), (25, 10), (40, 2), (3, 0)] {
        request.fetchOffset = offset
        request.fetchLimit = limit
        let page = all.dropFirst(offset).prefix(limit > 0 ? limit : .max)
        #expect(try context.fetch(request) == Array(page))
        #expect(try context.count(for: request) == page.count)
      }
    }
  }
}
