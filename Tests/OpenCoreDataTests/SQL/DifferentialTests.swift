import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("The database finds what the evaluator in memory finds")
struct DifferentialTests {
  /// Random data and predicates, with the seed in the message: `SOAK=20` tries more, `SEED=7` one alone.
  @Test("Random predicates", arguments: RandomSeeds.seeds(6))
  func randomPredicates(seed: UInt64) throws {
    let fixture = try PeopleFixture(seed: seed, isIndexed: seed.isMultiple(of: 2))
    var random = SeededGenerator(seed: seed &* 7919)
    let predicates = RandomPredicates(people: fixture.people, tags: fixture.tags)
    for _ in 0..<150 {
      let predicate = predicates.predicate(depth: 3, &random)
      try Self.check(predicate, fixture, "seed \(seed)")
    }
  }

  static func check(_ predicate: NSPredicate, _ fixture: PeopleFixture, _ note: String = "") throws {
    guard let difference = difference(predicate, fixture) else { return }
    // The part that is to blame says more.
    let parts = (predicate as? OpenCocoaFoundation.NSCompoundPredicate)?.subpredicates as? [NSPredicate] ?? []
    let count = parts.count { self.difference($0, fixture) != nil }
    for part in parts { try check(part, fixture, note) }
    if count == 0 { Issue.record("\(note): \(predicate)\n\(difference)") }
  }

  /// What the database says otherwise than the evaluator.
  private static func difference(_ predicate: NSPredicate, _ fixture: PeopleFixture) -> String? {
    do {
      let found = try fixture.database.keys("Person", predicate)
      let expected = fixture.expected(predicate)
      guard found != expected else { return nil }
      var fetch = SQLFetch(model: fixture.database.schema, entity: try fixture.database.entity("Person"))
      fetch.predicate = predicate
      fetch.result = .keys
      let difference = found.symmetricDifference(expected).sorted()
      let objects = fixture.people.filter { difference.contains($0.primaryKey) }.prefix(2).map(\.values)
      return "\(try fetch.statement().statement)\n\(difference) \(objects)"
    } catch {
      return "\(error.localizedDescription)"
    }
  }
}
