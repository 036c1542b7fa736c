import Foundation
import Testing

@testable import OpenCocoaFoundation

@Suite("A format that comes again is not parsed again, and means the same")
struct FormatTemplateTests {
  private static let formats = [
    "age > %d", "name == %@ AND age >= %ld OR NOT (active == YES)", "%@ == name", "%K == %@", "%K.%K == %@ AND %K > 3",
    "name IN %@", "name CONTAINS[cd] %@", "name BETWEEN %@", "age BETWEEN %@ AND %@", "age BETWEEN %@ AND age > 3",
    "name MATCHES %@", "name LIKE[c] %@", "ANY tags.name == %@", "NONE tags.name IN %@", "ALL tags.rank > %f", "%@",
    "%@ AND age > 3", "age + %d > 5", "{%@, 3} CONTAINS age", "SUBQUERY(tags, $t, $t.name == %@).@count > 0",
    "name == '%@' AND note == %@", "age == 3", "TRUEPREDICATE AND name == %@", "TERNARY(age > 3, 1, 2) == %@",
    "%@.length > 3", "name == $name AND age > %d", "FUNCTION(%@, 'length') > 3", "SELF == %@",
    "name == %@ && age == %@",
    "CAST(%@, 'NSNumber') == 5", "rate == %f", "rate == %e", "name ==[c] %@", "%K ==[n] %@",
  ]

  private static var arguments: [Any?] {
    let predicate = NSPredicate(value: true)
    return [
      "text", "other", 5, 0, -3, 2.5, Double.nan, true, nil, NSNull(), Date(timeIntervalSinceReferenceDate: 5), UUID(),
      Data([1, 2]), [1, 2], ["a", "b"], Set(["c"]), [1: 2], Decimal(3), NSNumber(value: 7), NSString("ns"), predicate,
      OpenCocoaFoundation.NSExpression(forKeyPath: "other"), Optional<Int>.none, Optional("wrapped"), "a.b", "", "[",
      "e\u{301}", "\u{E9}",
    ]
  }

  private static func text(_ body: () throws -> NSPredicate) -> String {
    do { return Self.text(try body()) } catch { return "\(error)" }
  }

  /// The predicate's text with the types of its constants.
  private static func text(_ predicate: NSPredicate) -> String {
    switch predicate.node {
    case .compound(let type, let parts): "\(type.rawValue)(\(parts.map(text).joined(separator: ", ")))"
    case .comparison(let comparison):
      "\(comparison.comparisonPredicateModifier.rawValue) \(comparison.predicateOperatorType.rawValue) "
        + "\(comparison.options.rawValue) (\(text(comparison.leftExpression)), \(text(comparison.rightExpression)))"
    case .boolean, .block, .custom: "\(predicate)"
    }
  }

  private static func text(_ expression: OpenCocoaFoundation.NSExpression) -> String {
    guard case .constant(let value) = expression.node else { return "\(expression)" }
    return value.map { "\(type(of: $0)) \(Array("\($0)".utf8))" } ?? "nil"
  }

  /// `SOAK=20` tries more.
  @Test("The predicate is the one that is parsed anew", arguments: (1...4 * UInt64(Soak.factor)).map { $0 })
  func randomArguments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let cache = FormatCache()
    for _ in 0..<400 {
      guard let format = Self.formats.randomElement(using: &random) else { continue }
      let arguments = (0..<Int.random(in: 0...4, using: &random)).map { _ -> Any? in
        // Key paths of formats with %K are texts mostly.
        if format.contains("%K"), Int.random(in: 0..<3, using: &random) > 0 {
          return ["name", "a.b"].randomElement(using: &random)
        }
        return Self.arguments.randomElement(using: &random) ?? nil
      }
      let expected = Self.text { try FormatParser.parsed(format, arguments: arguments) }
      for _ in 0..<3 {
        let found = Self.text {
          try cache.predicate(format, arguments: arguments) ?? FormatParser.parsed(format, arguments: arguments)
        }
        #expect(found == expected, "seed \(seed): \(format) with \(arguments)")
      }
    }
  }

  @Test("There are templates of comparisons, and none where an argument decides")
  func templates() {
    let cache = FormatCache()
    for number in 0..<3 {
      let predicate = cache.predicate("name == %@ AND age > %d", arguments: ["text", number])
      #expect((predicate != nil) == (number > 0))
    }
    for format in ["name BETWEEN %@", "name MATCHES %@", "(name + %@) > 3", "%@"] {
      for _ in 0..<3 { #expect(cache.predicate(format, arguments: [5]) == nil) }
    }
  }

  @Test("Each predicate is an object of its own")
  func identity() throws {
    let predicates = try (0..<4).map { _ in try NSPredicate(parsing: "name.key == 5") }
    #expect(Set(predicates.map(ObjectIdentifier.init)).count == 4)
  }

  @Test("The cache has a limit")
  func limit() {
    let cache = FormatCache(limit: 16)
    for number in 0..<1000 {
      for _ in 0..<2 { _ = cache.predicate("limited == %@ AND number == \(number)", arguments: ["text"]) }
    }
    #expect((1...16).contains(cache.count))
  }
}
