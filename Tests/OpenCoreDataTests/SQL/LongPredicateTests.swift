import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

@Suite("Long lists and large compounds run, beyond the limits of SQLite")
struct LongPredicateTests {
  private func database() throws -> TestDatabase {
    let database = try TestDatabase(PeopleFixture.model())
    let uid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    try database.insert(
      "Person", key: 1,
      [
        "age": 1999, "name": "1999", "weight": 0.1, "born": Date(timeIntervalSinceReferenceDate: 1999.5), "uid": uid,
        "photo": Data([1, 2]),
      ])
    try database.insert("Person", key: 2, ["age": 7, "name": "a\0b", "weight": 3])
    try database.insert("Person", key: 3)
    return database
  }

  private func found(_ format: String, _ list: [Any], in database: TestDatabase) throws -> Set<Int64> {
    try database.keys("Person", NSPredicate(format: format, list))
  }

  @Test("Lists of any kind of value", arguments: [100, 10_000])
  func lists(_ count: Int) throws {
    let database = try database()
    let numbers = Array(1990..<1990 + count)
    let names = numbers.map(String.init)
    #expect(try found("NOT age IN %@", numbers, in: database) == [2, 3])
    #expect(try found("name IN %@", names + [NSNull(), "a\0b"], in: database) == [1, 2])
    #expect(try found("name IN[cd] %@", names + ["A\0B"], in: database) == [1, 2])
    #expect(try found("name IN[l] %@", names, in: database) == [1])
    #expect(try found("weight IN %@", numbers.map { Double($0) / 10 } + [0.1, 3], in: database) == [1, 2])
    let bytes = numbers.map { number in withUnsafeBytes(of: number) { Data($0) } }
    #expect(try found("photo IN %@", bytes + [Data([1, 2])], in: database) == [1])
  }

  @Test("Lists of 300,000, where SQLite takes 250,000 variables")
  func veryLongLists() throws {
    let database = try database()
    let numbers = Array(1990..<301_990)
    #expect(try found("age IN %@", numbers, in: database) == [1])
    #expect(try found("name IN %@", numbers.map(String.init), in: database) == [1])
    let dates = numbers.map { Date(timeIntervalSinceReferenceDate: Double($0) + 0.5) }
    #expect(try found("born IN %@", dates, in: database) == [1])
  }

  @Test("A list of none, or of nil alone, has no member")
  func empty() throws {
    let database = try database()
    for list in [[], [NSNull()]] as [[Any]] {
      #expect(try database.keys("Person", NSPredicate(format: "name IN %@", list)).isEmpty)
      #expect(try database.keys("Person", NSPredicate(format: "NOT (name IN %@)", list)) == [1, 2, 3])
    }
  }

  @Test("Flat compounds of 10,000 terms")
  func flat() throws {
    let database = try database()
    let terms = (0..<10_000).map { NSPredicate(format: "age > %d", 12_000 - $0) }
    let any = NSCompoundPredicate(orPredicateWithSubpredicates: terms + [NSPredicate(format: "name == 'a\0b'")])
    #expect(try database.keys("Person", any) == [2])
    let all = NSCompoundPredicate(
      andPredicateWithSubpredicates: terms.map { NSCompoundPredicate(notPredicateWithSubpredicate: $0) })
    #expect(try database.keys("Person", all) == [1, 2, 3])
    let equal = (0..<10_000).map { NSPredicate(format: "age == %d OR name == %@", $0 + 1900, "\($0)") }
    #expect(try database.keys("Person", NSCompoundPredicate(orPredicateWithSubpredicates: equal)) == [1])
  }

  @Test("Compounds in one another, each on the left or the right", arguments: [13, 100, 3_000])
  func deep(_ depth: Int) throws {
    let fixture = try PeopleFixture(seed: 5, count: 20)
    var random = SeededGenerator(seed: UInt64(depth))
    for shape in 0..<6 {
      var predicate = NSPredicate(format: "name == 'Anna'")
      for level in 0..<depth {
        let other = NSPredicate(
          format: Bool.random(using: &random) ? "age != %d" : "boss.age > %d", Int.random(in: -2...6, using: &random))
        let parts = level % 3 == 0 ? [predicate, other] : [other, predicate]
        let isAnd = shape == 0 || shape > 1 && Int.random(in: 0...level % 7 + 1, using: &random) == 0
        predicate =
          isAnd
          ? NSCompoundPredicate(andPredicateWithSubpredicates: parts)
          : NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        if shape > 3, level % 2 == 0 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
      }
      #expect(try fixture.database.keys("Person", predicate) == fixture.expected(predicate), "\(depth), \(shape)")
    }
  }

  @Test("A tree of compounds that is deep and wide")
  func tree() throws {
    let fixture = try PeopleFixture(seed: 6, count: 20)
    var random = SeededGenerator(seed: 11)
    func tree(_ depth: Int) -> NSPredicate {
      guard depth > 0 else { return NSPredicate(format: "age == %d", Int.random(in: -2...6, using: &random)) }
      let left = tree(depth - 1)
      let right = tree(Int.random(in: 0..<depth, using: &random) / 2)
      return depth % 2 == 0
        ? NSCompoundPredicate(andPredicateWithSubpredicates: [right, left])
        : NSCompoundPredicate(orPredicateWithSubpredicates: [left, right])
    }
    for _ in 0..<10 {
      let predicate = tree(40)
      #expect(try fixture.database.keys("Person", predicate) == fixture.expected(predicate))
    }
  }

  @Test("A sum of 400 terms")
  func sum() throws {
    let terms = Array(repeating: "1", count: 400).joined(separator: " + ")
    #expect(try database().keys("Person", NSPredicate(format: "age + \(terms) == 407")) == [2])
  }
}
