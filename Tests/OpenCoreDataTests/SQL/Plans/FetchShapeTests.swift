import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Fetches that differ in constants alone share a statement")
struct FetchShapeTests {
  let model = PeopleFixture.model()

  private func fetches(_ isServer: Bool = false) -> PlannedFetches {
    PlannedFetches(model, dialect: isServer ? PostgreSQLDialect() : SQLiteDialect() as any SQLDialect)
  }

  /// Random predicates, each with other constants several times: `SOAK=20` tries more, `SEED=7` one alone.
  @Test("The statement is the one that is lowered anew", arguments: RandomSeeds.seeds(4), [false, true])
  func randomPredicates(seed: UInt64, isServer: Bool) throws {
    let fixture = try PeopleFixture(seed: seed, count: 10)
    let fetches = PlannedFetches(
      fixture.database.model, dialect: isServer ? PostgreSQLDialect() : SQLiteDialect() as any SQLDialect)
    var random = SeededGenerator(seed: seed &* 6373)
    let predicates = RandomPredicates(people: fixture.people, tags: fixture.tags)
    let changes = ChangedConstants(predicates: predicates)
    let results: [FetchPlanResult] = [.rows, .keys, .count]
    for _ in 0..<120 {
      var predicate = predicates.predicate(depth: 2, &random)
      let result = results.randomElement(using: &random) ?? .rows
      for _ in 0..<5 {
        let difference = fetches.difference(try fetches.target(predicate), result)
        #expect(difference == nil, "seed \(seed): \(predicate)")
        predicate = changes.change(predicate, &random)
      }
    }
    #expect(fetches.rebound > 5)
  }

  @Test("From the third fetch on, nothing is lowered", arguments: [false, true])
  func rebinding(isServer: Bool) throws {
    let fetches = fetches(isServer)
    for age in 10..<20 {
      let predicate = NSPredicate(format: "age > %d AND name == %@ AND active == YES", age, "name \(age)")
      let descriptors = [NSSortDescriptor(key: "name", ascending: false)]
      let difference = fetches.difference(try fetches.target(predicate, sortedBy: descriptors))
      #expect(difference == nil)
    }
    #expect(fetches.rebound == 8)
  }

  @Test("A predicate that is used again needs no values, either")
  func identity() throws {
    let fetches = fetches()
    // They stay alive, so that no predicate is taken for one that was in the same place before.
    let predicates = (10..<13).map { NSPredicate(format: "age > %d", $0) }
    for predicate in predicates { _ = try fetches.planned(fetches.target(predicate)) }
    #expect(fetches.rebound == 1)
    let target = try fetches.target(NSPredicate(format: "age > 77"))
    for _ in 0..<5 { #expect(try fetches.planned(target).bindings == [.integer(77)]) }
    #expect(fetches.rebound == 3)
    withExtendedLifetime(predicates) {}
  }

  @Test("Values whose statement has another text do not take part")
  func specialValues() throws {
    let values: [Any?] = [
      5, nil, 0, 1, 7, 2.5, Double.nan, Double.infinity, 3.5, "text", "a\0b", "", "other", true, NSNull(), Decimal(3),
      Date(), Data([1]), UUID(), Int64.max, UInt64.max, [1, 2], 9, NSNumber(value: 2.5), NSNumber(value: 8),
    ]
    for isServer in [false, true] {
      let fetches = fetches(isServer)
      for key in ["age", "weight", "active", "born", "name", "price", "uid", "photo", "link", "boss", "height"] {
        for one in ["==", "!=", "<", ">="] {
          for value in values + values {
            let predicate = NSPredicate(format: "%K \(one) %@", key, value)
            let difference = fetches.difference(try fetches.target(predicate))
            #expect(difference == nil, "\(predicate)")
          }
        }
      }
      #expect(fetches.rebound > 100)
    }
  }

  @Test("Fetches of other pages, orders, results and entities do not share a statement")
  func otherFetches() throws {
    let fetches = fetches()
    func check(_ change: (inout FetchTarget) -> Void = { _ in }, _ result: FetchPlanResult = .rows) throws {
      for age in 10..<13 {
        var target = try fetches.target(NSPredicate(format: "age > %d", age))
        change(&target)
        let difference = fetches.difference(target, result)
        #expect(difference == nil)
      }
    }
    try check()
    try check { $0.limit = 5 }
    try check { $0.limit = 6 }
    try check { ($0.limit, $0.offset) = (6, 2) }
    try check({ _ in }, .keys)
    try check({ _ in }, .count)
    for (key, ascending) in [("age", true), ("age", false), ("name", true)] {
      for selector in [nil, "caseInsensitiveCompare:", "localizedStandardCompare:"] as [Selector?] {
        for age in 10..<13 {
          let descriptor = NSSortDescriptor(key: key, ascending: ascending, selector: selector)
          let predicate = NSPredicate(format: "age > %d", age)
          let difference = fetches.difference(try fetches.target(predicate, sortedBy: [descriptor]))
          #expect(difference == nil)
        }
      }
    }
    for age in 10..<13 {
      let predicate = NSPredicate(format: "age > %d", age)
      let difference = fetches.difference(try fetches.target(predicate, entity: "Employee"))
      #expect(difference == nil)
    }
  }

  @Test("Keys that are equal in Swift and differ in bytes do not share a statement")
  func canonicalEquivalence() throws {
    let fetches = fetches()
    for format in ["name ==[c] 'e\u{301}' AND age > %d", "name ==[c] '\u{E9}' AND age > %d"] {
      for age in 10..<14 {
        let difference = fetches.difference(try fetches.target(NSPredicate(format: format, age)))
        #expect(difference == nil)
      }
    }
  }

  @Test("The cache has a limit, and keeps no object of a predicate")
  func limits() throws {
    let shapes = ShapedPlans<Int>(limit: 16)
    let fetches = fetches()
    for limit in 0..<100 {
      var target = try fetches.target(NSPredicate(format: "age > 5"))
      target.limit = limit
      let shape = try #require(ShapeReading.read(target, .rows, fetches.schema)?.shape)
      _ = shapes.find(shape)
      #expect(!shapes.isWanted(shape))
      #expect(shapes.isWanted(shape))
    }
    #expect(shapes.count == 16)
    weak var person: TestObject?
    for key in 1...4 {
      let object = TestObject(try #require(fetches.schema.entity(named: "Person")).entity, Int64(key))
      person = object
      #expect(
        try fetches.planned(fetches.target(NSPredicate(format: "boss == %@", object))).bindings == [
          .integer(Int64(key))
        ])
    }
    #expect(fetches.rebound == 2)
    #expect(person == nil)
  }

  @Test("Many threads share the plans")
  func threads() throws {
    let fetches = fetches()
    let person = try #require(fetches.schema.entity(named: "Person"))
    let layout = person.entity.layout
    let (schema, cache) = (fetches.schema, fetches.cache)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<200 {
        let (age, name) = (thread * 1000 + number + 2, "name \(number)")
        let format = number.isMultiple(of: 3) ? "age > %d AND name == %@" : "age < %d OR name != %@"
        let target = FetchTarget(
          layout: layout, predicate: NSPredicate(format: format, age, name), includesSubentities: true)
        let statement = try? cache.plan(
          target, .rows, model: schema, entity: person, make: { $0 },
          rebind: { SQLStatement(text: $0.text, bindings: $1) }
        ).statement
        #expect(statement?.bindings == [.integer(Int64(age)), .text(name)])
      }
    }
  }
}
