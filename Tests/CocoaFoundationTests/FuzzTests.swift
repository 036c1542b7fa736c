import CocoaFoundation
import Foundation
import Testing

@Suite("Formats from outside")
struct FuzzTests {
  /// Formats that have every part of the grammar.
  private static let formats =
    ParsingTests.spellings.map(\.0) + [
      "%K.name ==[cd] %@ AND age BETWEEN {%d, %lf}", "FETCH($request, $context, NO).@count > 0x1f",
      "NONE a.b IN[l] {'x', \"y\\u00e9\", @'z'} OR !(#in.size >= 0b11 ** 2)",
      "FUNCTION($manager, 'a:b:', {1, 2}, nil) == CAST(now(), 'NSNumber') - 0o17",
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == TERNARY(TRUEPREDICATE, 1, -1.5e-3)).@count > 0)[LAST] != %%",
    ]

  private static let fragments =
    Array("'\"\\(){}[].,%@K$#=<>!&|*+-/~^:;0x1eé\u{0}\n\u{301}😀 ").map(String.init) + [
      " AND ", " NOT ", "SUBQUERY(", "$x", "%@", "%K", "[cd]", "@count", "999999999999999999999", "0x", "nil", "ANY ",
      "MATCHES '['", ".#self", "\r\n", "((((((((((((((((((((((((((((((((((((((((", "{{{{{{{{{{{{{{{{", "FETCH(",
      "- - -",
    ]

  @Test("Mutated formats are predicates, or errors that point at the place")
  func mutations() {
    var random = SeededGenerator(for: "Mutated formats")
    var parsed = 0
    for _ in 0..<15_000 * Soak.factor {
      let format = Self.mutated(&random)
      do {
        let predicate = try NSPredicate(parsing: format, arguments: [1, "a", nil, [1, 2]])
        parsed += 1
        let printed = predicate.description
        #expect((try? NSPredicate(parsing: printed)) != nil, "SEED=\(random.seed): \(format) printed \(printed)")
      } catch let error as OCDPredicateFormatError {
        let lines = format.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isThere =
          (1...lines.count).contains(error.line) && (1...lines[error.line - 1].count + 1).contains(error.column)
        #expect(isThere && !error.expected.isEmpty, "SEED=\(random.seed): \(error)")
        #expect(error.description.hasSuffix("^"))
      } catch {
        Issue.record("SEED=\(random.seed): \(format) gave \(error)")
      }
    }
    #expect(parsed > 0)
  }

  /// A format with a few of its characters gone, doubled, exchanged or foreign, or the halves of two.
  private static func mutated(_ random: inout SeededGenerator) -> String {
    var format = Array(pick(formats, &random).unicodeScalars)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...format.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where place < format.count: format.remove(at: place)
      case 1 where place < format.count: format.insert(format[place], at: place)
      case 2 where place < format.count:
        format.swapAt(place, Int.random(in: 0..<format.count, using: &random))
      case 3:
        let other = Array(pick(formats, &random).unicodeScalars)
        format = Array(format[..<place]) + other[Int.random(in: 0...other.count, using: &random)...]
      case 4: format.removeSubrange(place..<min(format.count, place + Int.random(in: 1...6, using: &random)))
      default: format.insert(contentsOf: pick(fragments, &random).unicodeScalars, at: place)
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: format)
    return String(text)
  }

  private static func pick<T>(_ values: [T], _ random: inout SeededGenerator) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}
