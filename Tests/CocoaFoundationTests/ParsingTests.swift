import CocoaFoundation
import Foundation
import Testing

@Suite("Parsing of predicate formats")
struct ParsingTests {
  /// Format and what it prints as.
  static let spellings: [(String, String)] = [
    ("a = 1", "a == 1"),
    ("a=='x'", "a == \"x\""),
    ("a <> 1", "a != 1"),
    ("a =< 1 && b => 2", "a <= 1 AND b >= 2"),
    ("a == 1 or b == 2 || c == 3", "a == 1 OR b == 2 OR c == 3"),
    ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
    ("a == 1 and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("not a = 1 or b = 2", "(NOT a == 1) OR b == 2"),
    ("!(a = 1 and b = 2)", "NOT (a == 1 AND b == 2)"),
    ("!TRUEPREDICATE", "NOT TRUEPREDICATE"),
    ("truepredicate || falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
    ("name beginswith[CD] 'x'", "name BEGINSWITH[cd] \"x\""),
    ("name contains [c] 'x'", "name CONTAINS[c] \"x\""),
    ("name ==[n] 'x'", "name ==[n] \"x\""),
    ("name <[l] 'x'", "name <[l] \"x\""),
    ("name CONTAINS[cdlw] 'x'", "name CONTAINS[cdlw] \"x\""),
    ("a in {1, 2}", "a IN {1, 2}"),
    ("a IN {}", "a IN {}"),
    ("a between {1, 2}", "a BETWEEN {1, 2}"),
    ("a BETWEEN 1 AND 2 AND b == 3", "a BETWEEN {1, 2} AND b == 3"),
    ("some tags.name = 'x'", "ANY tags.name == \"x\""),
    ("NONE tags.name = 'x'", "NOT ANY tags.name == \"x\""),
    ("ALL books.year > 1999", "ALL books.year > 1999"),
    ("a == NULL", "a == nil"),
    ("a == Yes AND b == FALSE", "a == 1 AND b == 0"),
    ("self == 7", "SELF == 7"),
    ("SELF.name == 'x'", "SELF.name == \"x\""),
    ("$x.a.b == $Y", "$x.a.b == $Y"),
    ("#size == 1", "#size == 1"),
    ("g.@max.#self == g.@min.#self", "g.@max.#self == g.@min.#self"),
    ("a.@count > 0", "a.@count > 0"),
    ("a == \"it's\" AND b == 'say \"hi\"'", "a == \"it's\" AND b == \"say \\\"hi\\\"\""),
    (#"a == 'it\'s' AND b MATCHES '\d+'"#, #"a == "it's" AND b MATCHES "\\d+""#),
    ("a == -5 AND b == .5 AND c == 0x1F", "a == -5 AND b == 0.5 AND c == 31"),
    ("a == 0o17 AND b == 0B101 AND c == -0x10", "a == 15 AND b == 5 AND c == -16"),
    ("a == 1e3", "a == 1000"),
    ("SELF[FIRST] == 1 AND a.b[2] == 3", "(SELF)[FIRST] == 1 AND (a.b)[2] == 3"),
    ("a[0].b == 1", "(a)[0].b == 1"),
    ("1 + 2 * 3 > (1 + 2) * 3", "1 + 2 * 3 > (1 + 2) * 3"),
    ("2 ** 3 ** 2 - 1 - 1 == 0", "2 ** 3 ** 2 - 1 - 1 == 0"),
    ("a - (b - c) == 0", "a - (b - c) == 0"),
    ("flags & 4 != 0", "flags & 4 != 0"),
    ("-a == 1", "a * -1 == 1"),
    ("CAST(x, 'NSString') > 'v'", "CAST(x, \"NSString\") > \"v\""),
    ("TERNARY(a == 1, 'x', 'y') == 'x'", "TERNARY(a == 1, \"x\", \"y\") == \"x\""),
    ("SUBQUERY(tags, $t, $t.name == 'x').@count != 0", "SUBQUERY(tags, $t, $t.name == \"x\").@count != 0"),
    ("a < now()", "a < now()"),
    ("max({1, 2}) == max:({1, 2})", "max:({1, 2}) == max:({1, 2})"),
    ("add:to:(1, a) == 2", "1 + a == 2"),
    ("a UNION b CONTAINS 1", "a UNION b CONTAINS 1"),
    ("FUNCTION(a, 'doubleValue') > 1", "FUNCTION(a, \"doubleValue\") > 1"),
    ("a.stringByAppendingString('x') == 'y'", "FUNCTION(a, \"stringByAppendingString:\" , \"x\") == \"y\""),
    ("größe == 1", "größe == 1"),
    ("#in.\u{301}size >= 3", "#in.\u{301}size >= 3"),
    ("a\u{A0}==\u{3000}1\u{2003}AND b\u{2009}== 2", "a == 1 AND b == 2"),
    ("a == @'x' AND b == @\"y\"", "a == \"x\" AND b == \"y\""),
    ("FETCH($request, $c.context, no).@count > 0", "FETCH($request, $c.context, NO).@count > 0"),
    (
      "author == $FETCH_SOURCE.author AND name == $FETCHED_PROPERTY.name",
      "author == $FETCH_SOURCE.author AND name == $FETCHED_PROPERTY.name"
    ),
    ("objectID.isTemporaryID == YES AND entity.name == 'A'", "objectID.isTemporaryID == 1 AND entity.name == \"A\""),
    ("a.ternary == 1 AND a.in == 2", "a.ternary == 1 AND a.#in == 2"),
  ]

  @Test("A format is understood in all its spellings", arguments: spellings)
  func spelling(_ format: String, _ expected: String) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect(predicate.description == expected)
    // What is printed means the same.
    #expect(try NSPredicate(parsing: predicate.description) == predicate)
  }

  @Test("Arguments take the places of conversions")
  func arguments() {
    #expect(NSPredicate(format: "%K == %@", "name", "x").description == "name == \"x\"")
    #expect(NSPredicate(format: "%K.%K = %d", "a", "b", 4).description == "a.b == 4")
    #expect(
      NSPredicate(format: "a.%K.@count == %ld AND c > %f", "b.c", 4, 1.5).description == "a.b.c.@count == 4 AND c > 1.5"
    )
    #expect(NSPredicate(format: "a IN %@", ["x", "y"]).description == "a IN {\"x\", \"y\"}")
    #expect(NSPredicate(format: "a == %@ AND b == %@", argumentArray: [1, true]).description == "a == 1 AND b == 1")
    #expect(NSPredicate(format: "a == '%@'").description == "a == \"%@\"")
    #expect(NSPredicate(format: "a BETWEEN %@", [1, 10]).description == "a BETWEEN {1, 10}")
    #expect(NSPredicate(format: "a BETWEEN {%@,%@}", 1, 10).description == "a BETWEEN {1, 10}")
    #expect(NSPredicate(format: "%d*%f == 3", 2, 1.5).description == "2 * 1.5 == 3")
    let missing: String? = nil
    #expect(NSPredicate(format: "a == %@", missing).description == "a == nil")
    #expect(
      NSPredicate(format: "a == %@", Date(timeIntervalSinceReferenceDate: 1.5)).description
        == "a == CAST(1.500000, \"NSDate\")")
    #expect(NSPredicate(format: "a == %@", NSNull()).description == "a == <null>")
  }

  @Test("An AND chain is one flat compound")
  func flatChain() throws {
    let predicate = try #require(NSPredicate(format: "a == 1 AND b == 2 AND c == 3") as? NSCompoundPredicate)
    #expect(predicate.compoundPredicateType == .and)
    #expect(predicate.subpredicates.count == 3)
    #expect(predicate.subpredicates.allSatisfy { $0 is NSComparisonPredicate })
  }

  @Test("Deep nesting is refused before the stack is exhausted")
  func depth() {
    let format = String(repeating: "(", count: 100_000) + "a == 1"
    #expect(throws: OCDPredicateFormatError.self) { try NSPredicate(parsing: format) }
    #expect(throws: OCDPredicateFormatError.self) {
      try NSPredicate(parsing: String(repeating: "!", count: 100_000) + "a == 1")
    }
    #expect(throws: OCDPredicateFormatError.self) {
      try NSPredicate(parsing: String(repeating: "-", count: 100_000) + "a == 1")
    }
    #expect(throws: OCDPredicateFormatError.self) {
      try NSPredicate(parsing: "a" + String(repeating: "+a", count: 100_000) + " == 1")
    }
    for unit in ["{", "NOT ", "~", "SUBQUERY(", "FUNCTION(", "TERNARY(", "FETCH(", "CAST(", "a[", "abs(", "2**"] {
      #expect(throws: OCDPredicateFormatError.self) {
        try NSPredicate(parsing: "x == " + String(repeating: unit, count: 10_000))
      }
    }
    #expect(throws: Never.self) { try NSPredicate(parsing: "a == 1" + String(repeating: " OR a == 1", count: 20_000)) }
  }
}
