import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES and equality under options, in SQL and in memory.
@Suite struct StringSearchTests {
  private static let tests: [(SQLStringTest, String)] = [
    (.equals, "=="), (.contains, "CONTAINS"), (.beginsWith, "BEGINSWITH"), (.endsWith, "ENDSWITH"), (.like, "LIKE"),
  ]

  private static let suffixes: [(String, StringFolding.Options)] = [
    ("", []), ("[c]", .caseInsensitive), ("[d]", .diacriticInsensitive), ("[w]", .widthInsensitive), ("[n]", []),
    ("[cd]", [.caseInsensitive, .diacriticInsensitive]), ("[cdl]", [.caseInsensitive, .diacriticInsensitive]),
    ("[l]", []), ("[cl]", .caseInsensitive),
    ("[cdw]", [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]),
  ]

  /// The functions of SQL, on bytes that may not be UTF-8, with the pattern in the row and as a folded constant.
  @Test func randomTestsInSQL() throws {
    let database = try TestDatabase(NSManagedObjectModel())
    var random = RandomText(random: SeededGenerator(for: "searches"))
    for _ in 0..<100 * Soak.factor {
      let text = random.text()
      let bytes = random.bytes(of: text), pattern = random.text(like: text)
      let string = String(decoding: bytes, as: UTF8.self)
      for options in PlainText.allOptions {
        for (test, name) in Self.tests {
          let expected: SQLValue = .integer(try PlainText.holds(test, string, pattern, options) ? 1 : 0)
          let found = try database.run(
            SQLStatement(
              text: "SELECT NSCoreDataStringSearch(CAST(?1 AS TEXT), CAST(?2 AS TEXT), \(options.inSQL.rawValue), "
                + "\(test.rawValue)), NSCoreDataStringSearch(CAST(?1 AS TEXT), CAST(?3 AS TEXT), "
                + "\(options.inSQL.union(.folded).rawValue), \(test.rawValue))",
              bindings: [
                .blob(Data(bytes)), .blob(Data(pattern.utf8)),
                .blob(Data(PlainText.fold(pattern, options).utf8)),
              ]))
          #expect(
            found == [[expected, expected]], "\(name)[\(options.rawValue)]: \(bytes) | \(pattern.scalarText)")
        }
      }
    }
  }

  @Test func nullAndWrongArguments() throws {
    let database = try TestDatabase(NSManagedObjectModel())
    let found = try database.run(
      SQLStatement(
        text: "SELECT NSCoreDataStringSearch(NULL, 'a', 1, 1), NSCoreDataStringSearch('a', NULL, 1, 1), "
          + "NSCoreDataStringSearch('a', 'a', 1, 77), NSCoreDataStringSearch(12, '2', 1, 3)",
        bindings: []))
    #expect(found == [[.null, .null, .null, .integer(1)]])
  }

  /// Predicates with options over strings; [l] for the operators that do not use the order of the locale, and [n].
  @Test func randomPredicates() throws {
    var random = RandomText(random: SeededGenerator(for: "predicates"))
    for _ in 0..<100 * Soak.factor {
      let text = random.text(), pattern = random.text(like: text)
      for (suffix, options) in Self.suffixes {
        for (test, name) in Self.tests where test != .equals || !suffix.contains("l") {
          let predicate = NSPredicate(format: "SELF \(name)\(suffix) %@", pattern)
          let expected = try PlainText.holds(test, text, pattern, options)
          #expect(
            predicate.evaluate(with: text) == expected,
            "\(name)\(suffix): \(text.scalarText) | \(pattern.scalarText)")
        }
      }
    }
  }
}
