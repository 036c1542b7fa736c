import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// MATCHES answers as a regular expression for the whole string, also where a pattern of plain text needs no such engine.
@Suite struct MatchPatternTests {
  private static let special = [
    "a", ".*", ".*", ".*", ".", "*", "\\.", "\\-", "\\\\", "\\n", "[a-k]", "a?", "(s|1)", "-", "\u{FFFD}",
  ]

  @Test func randomPatterns() throws {
    var random = RandomText(random: SeededGenerator(for: "patterns"))
    for _ in 0..<500 * Soak.factor {
      let text = random.text()
      let pattern = Self.pattern(for: text, &random)
      for options in PlainText.allOptions {
        let expected = try? PlainText.matches(text, pattern, options)
        let found = try? RegularExpressions.matchPattern(pattern, Self.comparison(options)).matches(text)
        #expect(found == expected, "\(options.rawValue): \(text.scalarText) | \(pattern.scalarText)")
      }
    }
  }

  /// On bytes that may not be UTF-8, with the pattern in the row and as a constant that SQLite keeps compiled.
  @Test func randomPatternsInSQL() throws {
    let database = try TestDatabase(NSManagedObjectModel())
    var random = RandomText(random: SeededGenerator(for: "patterns in SQL"))
    for _ in 0..<100 * Soak.factor {
      let text = random.text()
      let pattern = Self.pattern(for: text, &random)
      let rows = [random.bytes(of: text), random.bytes(of: random.text(like: text)), Array(text.utf8)]
      for options in PlainText.allOptions {
        let expected = rows.map { try? PlainText.matches(String(decoding: $0, as: UTF8.self), pattern, options) }
        guard !expected.contains(nil) else { continue }
        let call = "NSCoreDataStringSearch(CAST(column1 AS TEXT)"
        let bindings: [SQLValue] = rows.map { SQLValue.blob(Data($0)) }
        let found = try database.run(
          SQLStatement(
            text: "SELECT \(call), ?4, \(options.inSQL.rawValue), 5), \(call), CAST(?5 AS TEXT), "
              + "\(options.inSQL.rawValue), 5) FROM (VALUES (?1), (?2), (?3))",
            bindings: bindings + [SQLValue.text(pattern), SQLValue.blob(Data(pattern.utf8))]))
        let wanted = expected.map { Array(repeating: SQLValue.integer($0 == true ? 1 : 0), count: 2) }
        #expect(found == wanted, "\(options.rawValue): \(rows) | \(pattern.scalarText)")
      }
    }
  }

  /// A dot does not match a line break, and the end is the end, not the place before a last line break.
  @Test func lineBreaks() throws {
    for breaks in ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1C}", "\0", "\t"] {
      for pattern in [".*a.*", ".*", "a.*", ".*a", "a", "", "a\(breaks).*"] {
        for text in [breaks, "a" + breaks, breaks + "a", "a" + breaks + "a", "xax"] {
          for options in PlainText.allOptions {
            let expected = try PlainText.matches(text, pattern, options)
            let found = try RegularExpressions.matches(text, pattern: pattern, options: Self.comparison(options))
            #expect(found == expected, "\(options.rawValue): \(text.scalarText) | \(pattern.scalarText)")
          }
        }
      }
    }
  }

  /// The cache tells composed letters from decomposed ones, which are equal as strings of Swift.
  @Test func composedAndDecomposedPatterns() throws {
    for (pattern, text) in [("x\u{E9}[a]", "x\u{E9}a"), ("xe\u{301}[a]", "xe\u{301}a"), ("x\u{E9}[a]", "x\u{E9}a")] {
      #expect(try RegularExpressions.matches(text, pattern: pattern), "\(pattern.scalarText)")
    }
  }

  /// A pattern with many dots takes no step of an engine, so no limit ends it. A cancelled evaluation is ended.
  @Test func limits() throws {
    let text = String(repeating: "a", count: 200)
    let pattern = String(repeating: ".*a", count: 20) + ".*b"
    let limit = EvaluationLimit(patternSteps: 10_000)
    let found = try EvaluationLimit.run(limit) { try RegularExpressions.matches(text, pattern: pattern) }
    #expect(!found)
    let cancelled = EvaluationLimit(patternSteps: nil, isStopped: { true })
    #expect(throws: CocoaError.self) {
      try EvaluationLimit.run(cancelled) { try RegularExpressions.matches(text, pattern: ".*a.*") }
    }
  }

  private static func pattern(for text: String, _ random: inout RandomText) -> String {
    var scalars = Array(text.unicodeScalars).map { String($0) }
    for _ in 0..<Int.random(in: 0...4, using: &random.random) {
      let place = Int.random(in: 0...scalars.count, using: &random.random)
      let inserted = special[Int.random(in: 0..<special.count, using: &random.random)]
      if place < scalars.count, Bool.random(using: &random.random) { scalars.remove(at: place) }
      scalars.insert(inserted, at: place)
    }
    return scalars.joined()
  }

  private static func comparison(_ options: StringFolding.Options) -> NSComparisonPredicate.Options {
    options.inSQL.comparisonOptions
  }
}
