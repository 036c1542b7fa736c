import CocoaFoundation
import Foundation
import Testing

/// Makes predicates of every shape.
struct PredicateGenerator {
  var random: SeededGenerator

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func pick<T>(_ values: [T]) -> T { values[number(0..<values.count)] }

  mutating func predicate(_ depth: Int) -> NSPredicate {
    switch depth <= 0 ? number(0..<3) : number(0..<7) {
    case 0: return NSPredicate(format: pick(["TRUEPREDICATE", "FALSEPREDICATE"]))
    case 1, 2: return comparison(depth)
    case 3: return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth - 1))
    default:
      let subpredicates = (0..<number(2..<4)).map { _ in predicate(depth - 1) }
      return NSCompoundPredicate(type: pick([.and, .or]), subpredicates: subpredicates)
    }
  }

  private mutating func comparison(_ depth: Int) -> NSPredicate {
    let type: NSComparisonPredicate.Operator = pick([
      .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .like, .beginsWith,
      .endsWith, .in, .contains, .between,
    ])
    let right =
      type == .between
      ? NSExpression(forAggregate: [expression(depth - 1), expression(depth - 1)]) : expression(depth - 1)
    return NSComparisonPredicate(
      leftExpression: expression(depth - 1), rightExpression: right, modifier: pick([.direct, .direct, .any, .all]),
      type: type, options: .init(rawValue: UInt(number(0..<8))))
  }

  private mutating func expression(_ depth: Int) -> NSExpression {
    switch depth <= 0 ? number(0..<5) : number(0..<15) {
    case 0: return NSExpression(forConstantValue: constant())
    case 1: return NSExpression(forKeyPath: keyPath())
    case 2: return NSExpression(forVariable: pick(["x", "VALUE", "_local_1"]))
    case 3: return NSExpression.expressionForEvaluatedObject()
    case 4: return NSExpression(node: .keyPath(keyPath(), operand: NSExpression(forVariable: "x")))
    case 5: return NSExpression(forAggregate: (0..<number(0..<4)).map { _ in expression(depth - 1) })
    case 6, 7, 8:
      let selector = pick(ExpressionFunction.allCases).selector
      let count = max(ExpressionFunction(rawValue: selector)?.isAggregate == true ? 1 : 0, selector.count { $0 == ":" })
      return NSExpression(forFunction: selector, arguments: (0..<count).map { _ in expression(depth - 1) })
    case 9: return NSExpression(node: .keyPath(keyPath(), operand: expression(depth - 1)))
    case 10:
      return NSExpression(
        forSubquery: expression(depth - 1), usingIteratorVariable: "e", predicate: predicate(depth - 1))
    case 11:
      return NSExpression(
        forConditional: predicate(depth - 1), trueExpression: expression(depth - 1),
        falseExpression: expression(depth - 1))
    case 12:
      return NSFetchRequestExpression.expression(
        forFetch: expression(depth - 1), context: expression(depth - 1), countOnly: pick([true, false]))
    case 13:
      return NSExpression(
        node: pick([
          .unionSet(expression(depth - 1), expression(depth - 1)),
          .intersectSet(expression(depth - 1), expression(depth - 1)),
          .minusSet(expression(depth - 1), expression(depth - 1)),
        ]))
    default:
      return NSExpression(
        forFunction: expression(depth - 1), selectorName: pick(["length", "a:b:"]), arguments: [expression(depth - 1)])
    }
  }

  private mutating func keyPath() -> String {
    (0..<number(1..<4)).map { _ in pick(["name", "a1", "_b", "größe", "size", "self", "in", "@count", "true"]) }
      .joined(separator: ".")
  }

  private mutating func constant() -> Any? {
    switch number(0..<9) {
    case 0: return nil
    case 1: return pick([0, 1, -1, Int.max, Int.min, 42])
    case 2: return pick([0.5, -1.25, 1e300, 1e-7, 3.0, 123456789.125])
    case 3: return pick([true, false])
    case 4: return Date(timeIntervalSinceReferenceDate: Double(number(-1_000_000..<1_000_000)) / 8)
    default:
      return String((0..<number(0..<8)).map { _ in pick(Array("abZ \"'\\%@$#\n\té😀{}()[]")) })
    }
  }
}

@Suite("Printing and parsing")
struct RoundTripTests {
  @Test("A predicate with a collection as its argument equals the one that it prints")
  func collections() throws {
    for argument in [[1, 2, 3], ["a", "b"], [[1], []], []] as [[Any]] {
      let predicate = NSPredicate(format: "x IN %@", argument)
      let parsed = try NSPredicate(parsing: predicate.description)
      #expect(parsed == predicate && predicate == parsed)
      #expect(parsed.hash == predicate.hash)
    }
    #expect(NSPredicate(format: "x IN %@", [1, 2]) != NSPredicate(format: "x IN {2, 1}"))
    #expect(NSPredicate(format: "x IN %@", [1, 2]) != NSPredicate(format: "x IN {1, y}"))
  }

  @Test("Equal expressions have the same hash, however deep a list is", arguments: [3, 63, 64, 65, 100])
  func deepLists(depth: Int) {
    var list: [Any] = [1], expression = NSExpression(forAggregate: [NSExpression(forConstantValue: 1)])
    for _ in 1..<depth {
      list = [list]
      expression = NSExpression(forAggregate: [expression])
    }
    let constant = NSExpression(forConstantValue: list)
    func within(_ expression: NSExpression) -> NSExpression {
      NSExpression(forFunction: "sum:", arguments: [NSExpression(forFunction: "abs:", arguments: [expression])])
    }
    #expect(expression == constant && expression.hash == constant.hash)
    #expect(within(expression) == within(constant) && within(expression).hash == within(constant).hash)
    #expect(within(expression).hash != within(NSExpression(forKeyPath: "a")).hash)
  }

  @Test("The hash of an expression whose parts share their parts takes no more than that of another")
  func sharedParts() {
    func tree(of key: String) -> NSExpression {
      (0..<200).reduce(NSExpression(forKeyPath: key)) { part, _ in
        NSExpression(forFunction: "add:to:", arguments: [part, part])
      }
    }
    #expect(tree(of: "a").hash == tree(of: "a").hash)
  }

  @Test("A predicate that is printed and parsed is the same")
  func roundTrip() throws {
    var generator = PredicateGenerator(random: SeededGenerator(for: "Printing and parsing"))
    let seed = generator.random.seed
    for _ in 0..<2000 * Soak.factor {
      let predicate = generator.predicate(4)
      let text = predicate.description
      let parsed = try? NSPredicate(parsing: text)
      #expect(parsed == predicate, "seed \(seed): \(text) became \(parsed?.description ?? "nothing")")
      #expect(parsed?.hash == predicate.hash, "seed \(seed): \(text)")
      if parsed != predicate { break }
    }
  }
}

/// Found by fuzzing: the text of a predicate has more parentheses than the format that it was made of.
@Suite struct DeepRoundTripTests {
  /// What stands before, at, and behind the innermost, as often as the parser takes it.
  private static let kinds = [
    ("~", "a", ""), ("-", "a", ""), ("~-", "a", ""), ("~(1 + ", "a", ")"), ("-(", "a", ")"), ("", "a", "[0]"),
    ("", "a", "[FIRST]"), ("", "a", " - b"), ("(", "a", " - b)"), ("b - (", "a", ")"), ("b ** ", "a", ""),
    ("(", "a", ") ** b"), ("{", "a", "}"), ("abs(", "a", ")"), ("CAST(", "a", ", 'NSNumber')"),
    ("FUNCTION(", "a", ", 'length')"), ("(", "a", ").b"), ("TERNARY(a == 1, ", "a", ", 2)"), ("", "a", " UNION b"),
    ("SUBQUERY(", "a", ", $x, $x == 1)"), ("a + b * ", "a", ""), ("(~", "a", ")[1].c"), ("~a[", "1", "]"),
  ]
  private static let predicates = [
    ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("NOT (", "a == 1", " OR b == 1)"),
    ("(", "a == 1", " OR b == 1) AND c == 1"),
    ("(", "a == 1", ")"), ("b == 1 AND ", "a == 1", ""), ("b == 1 OR NOT ", "a == 1", ""),
    ("SUBQUERY(a, $x, ", "a == 1", ").@count == 1"), ("TRUEPREDICATE OR ", "a == 1", " AND FALSEPREDICATE"),
  ]

  @Test(arguments: kinds.map { ($0.0, $0.1, $0.2, " == 1") } + predicates.map { ($0.0, $0.1, $0.2, "") })
  func asDeepAsTheParserGoes(_ before: String, _ inner: String, _ behind: String, _ end: String) throws {
    func format(_ count: Int) -> String {
      String(repeating: before, count: count) + inner + String(repeating: behind, count: count) + end
    }
    _ = try NSPredicate(parsing: format(1))
    // The largest number that parses.
    var taken = 1, refused = 2_000
    while refused - taken > 1 {
      let middle = (taken + refused) / 2
      if (try? NSPredicate(parsing: format(middle))) != nil { taken = middle } else { refused = middle }
    }
    for count in [taken, taken - 1, taken / 2] where count > 0 {
      let predicate = try NSPredicate(parsing: format(count))
      let again = try? NSPredicate(parsing: predicate.description)
      #expect(again?.description == predicate.description, "\(count) times \(format(1))")
    }
  }
}

/// Numbers at the ends of what there is, found by fuzzing: printed as what parses, archived as what they are.
@Suite struct ExtremeConstantTests {
  @Test(arguments: ["1e999", "-1e999", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e308"])
  func printedAndArchived(number: String) throws {
    for format in ["a == \(number)", "\(number) - b < a", "a IN {\(number), 1}"] {
      let predicate = try NSPredicate(parsing: format)
      #expect(try NSPredicate(parsing: predicate.description) == predicate, "\(predicate)")
      #expect(try archived(predicate) == predicate)
      let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
      #expect(try SecureUnarchiver.object(in: data, of: [NSPredicate.self]) as? NSPredicate == predicate)
    }
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: NSExpression(parsing: number), requiringSecureCoding: true)
    let expression = try SecureUnarchiver.object(in: archive, of: [NSExpression.self]) as? NSExpression
    #expect(try expression == NSExpression(parsing: number))
  }
}
