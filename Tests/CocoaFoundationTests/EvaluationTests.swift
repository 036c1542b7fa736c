import CocoaFoundation
import Foundation
import Testing

@Suite("Evaluation of predicates in memory")
struct EvaluationTests {
  private let object: [String: Any] = [
    "name": "Zoë", "age": 42, "price": 1.5, "big": Int64(9_007_199_254_740_993), "flag": true, "empty": "",
    "date": Date(timeIntervalSinceReferenceDate: 100), "tags": ["red", "Blue"], "numbers": [1, 2, 3],
    "amount": Decimal(string: "0.1")!, "url": URL(string: "https://swift.org")!,
    "friends": [["name": "Ann", "age": 20], ["name": "Bob", "age": 30]] as [[String: Any]],
    "groups": [["members": [["id": 1], ["id": 2]]], ["members": [["id": 3]]]] as [[String: Any]],
  ]

  @Test(
    "A predicate holds",
    arguments: [
      // strings
      "name == 'Zoë'", "name ==[c] 'zOË'", "name ==[cd] 'zoe'", "name BEGINSWITH 'Zo'", "name ENDSWITH[d] 'oe'",
      "name CONTAINS 'o'", "NOT name CONTAINS ''", "NOT name BEGINSWITH ''", "'o' IN name", "name LIKE 'Z?ë'",
      "name LIKE 'Z*'", "name LIKE '*'", "empty LIKE '*'", "NOT empty LIKE '?'", "name LIKE[cd] 'z*E'",
      "NOT name LIKE 'o'", "'a*b' LIKE 'a\\*b'", "NOT 'axb' LIKE 'a\\*b'", "'aXbXc' LIKE '*X*c'",
      "name MATCHES 'Z.+'", "NOT name MATCHES 'o'", "name MATCHES[c] 'zoË'", "'ab' MATCHES 'a|ab'",
      "name CONTAINS[cdl] 'OE'", "name BEGINSWITH[cl] 'zO'", "name IN[cl] {'zoË'}", "'E' IN[cdl] name",
      "NOT name LIKE[l] 'z*'",
      "name < 'a'", "'Z' < 'a'", "'z' >[c] 'A'", "name.length == 3",
      // numbers
      "age == 42.0", "flag == 1", "flag == YES", "age BETWEEN {42, 50}", "NOT age BETWEEN {43, 50}", "price < 2",
      "big != 9007199254740992.0", "big > 9007199254740992.0", "amount == 0.1", "age IN {1, 42}", "age & 2 == 2",
      "7 / 2 == 3", "7.0 / 2 == 3.5", "4 + 5 - 2 ** 3 == 1", "7 - -1 == 8", "age == '42'",
      // nil
      "missing == nil", "NOT missing != nil", "missing != 5", "NOT missing < 5", "NOT missing > 5",
      "NOT (missing == 5)",
      "missing >= nil", "missing <= nil", "NOT missing > nil", "NOT missing < nil", "NOT age >= nil", "NOT age <= nil",
      "NOT missing >= age", "missing <= absent", "missing BETWEEN {nil, nil}", "NOT age BETWEEN {nil, 50}",
      "NOT missing CONTAINS 'x'", "NOT missing LIKE '*'", "NOT missing IN {1}",
      "NOT missing BETWEEN {1, 2}", "missing + 1 == nil", "missing.name == nil",
      // collections
      "ANY numbers > 2", "ALL numbers > 0", "NONE numbers > 3", "NOT ALL numbers > 1", "ANY friends.name == 'Bob'",
      "ANY missing == 1 OR TRUEPREDICATE", "ALL missing == 1", "NOT ANY missing == 1", "3 IN numbers",
      "tags CONTAINS[c] 'BLUE'", "NOT tags CONTAINS 'BLUE'", "ANY groups.members.id == 3", "numbers.@count == 3",
      "friends.@sum.age == 50", "friends.@avg.age == 25", "friends.@max.age == 30", "numbers.@min.self == 1",
      "SUBQUERY(friends, $f, $f.age > 25 AND $f.name BEGINSWITH 'B').@count == 1",
      "SUBQUERY(groups, $g, SUBQUERY($g.members, $m, $m.id > 2).@count > 0).@count == 1",
      "SUBQUERY({'x', 'Zo'}, $p, name BEGINSWITH $p AND SELF.age == 42).@count == 1",
      "numbers[0] == 1", "numbers[LAST] == 3", "numbers[SIZE] == 3", "numbers[7] == nil", "friends[1].name == 'Bob'",
      "numbers == {1, 2, 3}", "numbers != {3, 2, 1}", "numbers UNION {4} CONTAINS 4", "(numbers MINUS {1}).@count == 2",
      // other values
      "date == CAST(100, 'NSDate')", "date < now()", "date + 10 == CAST(110, 'NSDate')", "url == 'https://swift.org'",
      "TERNARY(age > 18, 'adult', 'child') == 'adult'", "CAST(age, 'NSString') == '42'",
      "TRUEPREDICATE AND NOT FALSEPREDICATE",
    ])
  func holds(_ format: String) throws {
    #expect(try NSPredicate(parsing: format).evaluate(with: object))
  }

  @Test("Equality is that of bytes, and folding takes both forms of a letter for the same")
  func normalisation() {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    #expect(!NSPredicate(format: "SELF == %@", composed).evaluate(with: decomposed))
    #expect(NSPredicate(format: "SELF ==[c] %@", composed).evaluate(with: decomposed))
    #expect(NSPredicate(format: "SELF ==[cd] %@", "CAFE").evaluate(with: decomposed))
    #expect(NSPredicate(format: "SELF > %@", "\u{FFFD}").evaluate(with: "\u{1F600}"))
  }

  @Test(
    "Case and diacritical marks are folded as Unicode has them, letters of another script are not",
    arguments: ["==[cd]", "LIKE[cd]", "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "IN[cd]"])
  func folding(_ operation: String) {
    let predicate = NSPredicate(format: "name \(operation) 'probe'")
    let omicron = "Pr\u{3BF}be"
    for name in ["Pr\u{F3}b\u{EB}", "PRO\u{301}BE\u{308}", "probe"] {
      #expect(predicate.evaluate(with: ["name": name]), "\(name)")
    }
    #expect(!predicate.evaluate(with: ["name": omicron]))
    #expect(!NSPredicate(format: "name ==[c] 'probe'").evaluate(with: ["name": "Pr\u{F3}be"]))
    #expect(!NSPredicate(format: "name ==[d] 'probe'").evaluate(with: ["name": "Pr\u{F3}BE"]))
    #expect(NSPredicate(format: "name ==[d] 'probe'").evaluate(with: ["name": "pr\u{F3}be"]))
    #expect(NSPredicate(format: "name ==[w] 'probe'").evaluate(with: ["name": "\u{FF50}robe"]))
  }

  @Test("The values of Foundation are compared by value")
  func foundationValues() {
    let id = UUID()
    #expect(NSPredicate(format: "SELF == %@", id as CVarArg).evaluate(with: id))
    #expect(NSPredicate(format: "SELF == %@", id as NSUUID).evaluate(with: id))
    #expect(!NSPredicate(format: "SELF == %@", UUID() as CVarArg).evaluate(with: id))
    #expect(NSPredicate(format: "SELF IN %@", [id, UUID()]).evaluate(with: id))
    #expect(NSPredicate(format: "SELF == %@", Data([1, 2]) as CVarArg).evaluate(with: NSData(data: Data([1, 2]))))
    #expect(NSPredicate(format: "SELF > %@", Data([1, 2]) as NSData).evaluate(with: Data([1, 3])))
    #expect(NSPredicate(format: "SELF >= %@", NSDate(timeIntervalSinceReferenceDate: 5)).evaluate(with: Date()))
    let object = NSObject()
    #expect(NSPredicate(format: "SELF == %@", object).evaluate(with: object))
    #expect(NSPredicate(format: "SELF IN %@", NSSet(object: object)).evaluate(with: object))
    #expect(NSPredicate(format: "SELF != %@", NSObject()).evaluate(with: object))
  }

  @Test("IN finds elements of a long constant collection")
  func longCollection() {
    let predicate = NSPredicate(format: "SELF IN[c] %@", (0..<1000).map { "Item\($0)" })
    #expect(predicate.evaluate(with: "ITEM999"))
    #expect(!predicate.evaluate(with: "item1000"))
    let numbers = NSPredicate(format: "SELF IN %@", Array(0..<1000))
    #expect(numbers.evaluate(with: 5.0))
    #expect(!numbers.evaluate(with: 5.5))
    #expect(!numbers.evaluate(with: nil))
    #expect(NSPredicate(format: "ANY SELF IN %@", Array(0..<1000)).evaluate(with: [5000, 7]))
  }

  @Test("Variables are replaced, and a subquery's own variable is left alone")
  func substitution() {
    let predicate = NSPredicate(format: "name == $NAME AND SUBQUERY(friends, $NAME, $NAME.age > $AGE).@count == 1")
    let substituted = predicate.withSubstitutionVariables(["NAME": "Zoë", "AGE": 25])
    #expect(
      substituted.description == "name == \"Zoë\" AND SUBQUERY(friends, $NAME, $NAME.age > 25).@count == 1")
    #expect(substituted.evaluate(with: object))
    #expect(predicate.evaluate(with: object, substitutionVariables: ["NAME": "Zoë", "AGE": 25]))
    #expect(NSPredicate(format: "a == $X").withSubstitutionVariables(["X": NSNull()]).description == "a == nil")
  }

  @Test("Predicates made of a value or a block are told apart")
  func nodes() {
    if case .boolean(true) = NSPredicate(value: true).node {} else { Issue.record("not recognised") }
    if case .boolean(false) = NSPredicate(value: false).node {} else { Issue.record("not recognised") }
    if case .boolean(true) = NSPredicate(format: "TRUEPREDICATE").node {} else { Issue.record("not recognised") }
    if case .block = NSPredicate(block: { _, _ in true }).node {} else { Issue.record("not recognised") }
    if case .compound(.and, _) = Foundation.NSCompoundPredicate(andPredicateWithSubpredicates: []).node {
    } else {
      Issue.record("not recognised")
    }
    #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    #expect(NSPredicate(format: "a == 1") != NSPredicate(value: false))
    #expect(NSPredicate(value: true) != NSPredicate(format: "a == 1"))
    let mixed = NSCompoundPredicate(orPredicateWithSubpredicates: [
      NSPredicate { value, _ in value as? Int == 3 }, NSPredicate(value: false),
    ])
    #expect(mixed.evaluate(with: 3))
    #expect(mixed.description.hasPrefix("BLOCKPREDICATE(0x"))
    #expect(mixed.description.hasSuffix(" OR FALSEPREDICATE"))
    #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: nil))
    #expect(!NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: nil))
  }

  @Test("Arrays and sets are filtered")
  func filtering() {
    let predicate = NSPredicate(format: "SELF > 1")
    #expect(([1, 2, 3] as NSArray).filtered(using: predicate) as? [Int] == [2, 3])
    #expect((NSSet(array: [1, 2, 3]).filtered(using: predicate) as NSSet).count == 2)
  }
}

@Suite("Copies of predicates")
struct CopyTests {
  @Test(
    "A copy is the same predicate",
    arguments: ["a == 1", "a == 1 AND b == 2", "NOT TRUEPREDICATE", "TRUEPREDICATE"])
  func copy(_ format: String) {
    let predicate = NSPredicate(format: format)
    #expect(predicate.copy() as? NSPredicate == predicate)
    #expect(predicate.copy() as? NSPredicate === predicate)
  }
}
