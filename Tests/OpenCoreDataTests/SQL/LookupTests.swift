import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("ANY over members that an index finds looks up their owners")
struct LookupTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase(PeopleFixture.model(isIndexed: true)) }

  private func condition(_ format: String) throws -> String {
    var fetch = SQLFetch(model: database.schema, entity: try database.entity("Person"))
    fetch.predicate = NSPredicate(format: format)
    fetch.result = .keys
    let text = try fetch.statement().statement.text
    return text.range(of: "WHERE ").map { String(text[$0.lowerBound...]) } ?? text
  }

  /// SQLite's plan, its lines joined.
  private func plan(_ format: String) throws -> String {
    var fetch = SQLFetch(model: database.schema, entity: try database.entity("Person"))
    fetch.predicate = NSPredicate(format: format)
    fetch.result = .keys
    let statement = try fetch.statement().statement
    let rows = try database.run(
      SQLStatement(text: "EXPLAIN QUERY PLAN " + statement.text, bindings: statement.bindings))
    return rows.map { row in if case .text(let line) = row[3] { line } else { "" } }.joined(separator: "\n")
  }

  private static let tagged =
    "t0.Z_PK IN (SELECT t1.Z_1PEOPLE FROM Z_1TAGS t1 JOIN ZTAG t2 ON t1.Z_3TAGS = t2.Z_PK WHERE "
  private static let end = " AND t1.Z_1PEOPLE IS NOT NULL)"

  @Test(arguments: [
    ("ANY tags.label == 'x'", "WHERE " + tagged + "t2.ZLABEL = ?" + end),
    ("ANY tags.label BEGINSWITH 'x'", "WHERE " + tagged + "t2.ZLABEL >= ? AND t2.ZLABEL < ?" + end),
    ("ANY tags.label BEGINSWITH[n] 'x'", "WHERE " + tagged + "t2.ZLABEL >= ? AND t2.ZLABEL < ?" + end),
    ("ANY tags.label LIKE 'x*'", "WHERE " + tagged + "t2.ZLABEL >= ? AND t2.ZLABEL < ?" + end),
    ("ANY tags.label IN {'x', 'y'}", "WHERE " + tagged + "t2.ZLABEL IN (?,?)" + end),
    ("NONE tags.label == 'x'", "WHERE (" + tagged + "t2.ZLABEL = ?" + end + ") IS NOT 1"),
    (
      "ANY reports.name == 'x'",
      "WHERE t0.Z_PK IN (SELECT t1.ZBOSS FROM ZPERSON t1 WHERE t1.ZNAME = ? AND t1.ZBOSS IS NOT NULL)"
    ),
    ("boss == nil AND ANY tags.label == 'x'", "WHERE t0.ZBOSS IS NULL AND " + tagged + "t2.ZLABEL = ?" + end),
    (
      "age > 3 AND ANY tags.label == 'x'", "WHERE t0.ZAGE > ? AND " + tagged + "t2.ZLABEL = ?" + end
    ),
  ])
  func lookups(_ format: String, _ expected: String) throws {
    #expect(try condition(format) == expected)
  }

  @Test(
    "Asked of every owner: what many members may have, and where there are few owners",
    arguments: [
      "ANY tags.rank == 1", "ANY tags.label > 'x'", "ANY tags.label != 'x'", "ANY tags.label ENDSWITH 'x'",
      "ANY tags.label ==[c] 'x'", "ANY tags.label BEGINSWITH[cd] 'x'", "ANY tags.label == nil",
      "ANY tags.label == name", "ALL tags.label == 'x'", "name == 'a' AND ANY tags.label == 'x'",
      "name IN {'a', 'b'} AND (age > 1 OR ANY tags.label == 'x')", "ANY SUBQUERY(tags, $t, $t.rank > 1).label == 'x'",
      "ANY reports.boss.name == 'x'",
    ])
  func exists(_ format: String) throws {
    let text = try condition(format)
    #expect(text.contains("EXISTS (SELECT 1") && !text.contains("IN (SELECT t1"), "\(text)")
  }

  @Test func theIndexIsUsed() throws {
    for format in ["ANY tags.label BEGINSWITH 'x'", "ANY tags.label == 'x'", "age > 1 AND ANY tags.label LIKE 'x*'"] {
      let plan = try plan(format)
      #expect(plan.contains("SEARCH t2 USING") && plan.contains("Z_Tag_by_label"), "\(plan)")
      #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY"), "\(plan)")
      #expect(!plan.contains("SCAN") && !plan.contains("CORRELATED"), "\(plan)")
    }
  }

  /// Both ways of asking give the same, for owners that are missing and text of all kinds, too.
  @Test(arguments: RandomSeeds.seeds(6)) func bothWaysGiveTheSame(seed: UInt64) throws {
    let plain = try PeopleFixture(seed: seed), indexed = try PeopleFixture(seed: seed, isIndexed: true)
    var random = SeededGenerator(seed: seed &+ 5)
    var lookups = 0, found = 0
    for _ in 0..<60 {
      let text = PeopleFixture.names.randomElement(using: &random) ?? ""
      let path =
        ["tags.label", "reports.name", "boss.tags.label", "boss.reports.name", "reports.tags.label"]
        .randomElement(using: &random) ?? ""
      let sign = ["==", "BEGINSWITH", "BEGINSWITH[n]", "!=", "IN"].randomElement(using: &random) ?? "=="
      let quantifier =
        ["ANY", "NONE", "NOT ANY", "age > 1 OR ANY", "age > 1 AND ANY", "name == 'Bob' AND ANY"]
        .randomElement(using: &random) ?? "ANY"
      let value: Any = sign == "IN" ? [text, "Anna"] : String(text.prefix(Int.random(in: 1...3, using: &random)))
      let predicate = NSPredicate(format: "\(quantifier) \(path) \(sign) %@", argumentArray: [value])
      var fetch = SQLFetch(model: indexed.database.schema, entity: try indexed.database.entity("Person"))
      fetch.predicate = predicate
      if try fetch.statement().statement.text.contains("IN (SELECT t") { lookups += 1 }
      let expected = plain.expected(predicate)
      if !expected.isEmpty { found += 1 }
      #expect(try plain.database.keys("Person", predicate) == expected, "seed \(seed) \(predicate)")
      #expect(try indexed.database.keys("Person", predicate) == expected, "seed \(seed) \(predicate)")
    }
    #expect(lookups > 10 && found > 10, "seed \(seed)")
  }
}
