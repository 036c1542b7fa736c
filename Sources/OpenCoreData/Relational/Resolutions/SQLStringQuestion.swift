import Foundation
import OpenCocoaFoundation

/// A question of a predicate about a string, as data. The framework answers it for each value of a column, as the
/// evaluator does.
package struct SQLStringQuestion: Sendable, Hashable {
  package enum Test: Sendable, Hashable {
    /// A test against a pattern, which is already folded if the options contain `folded`.
    case passes(SQLStringTest, SQLStringOptions, String)
    /// Whether another string passes the test with this string as the pattern.
    case isPattern(SQLStringTest, SQLStringOptions, of: String)
    case order(SQLComparison, SQLStringOptions, String)
    /// The same comparison with the other string first: the order of a locale is not always the exact reverse for
    /// exchanged strings.
    case orderOf(String, SQLComparison, SQLStringOptions)
    case isOne(of: [String], SQLStringOptions)
  }

  /// The functions that are applied to the string before the test, the innermost first.
  package var functions: [SQLStringFunction] = []
  package let test: Test

  package init(_ test: Test, after functions: [SQLStringFunction] = []) {
    self.test = test
    self.functions = functions
  }

  /// - Throws: the error for an invalid pattern of MATCHES.
  package func holds(_ string: String) throws -> Bool {
    let string = functions(string)
    switch test {
    case .passes(let test, let options, let pattern):
      return try SQLStringSearch.holds(test, string, pattern, options)
    case .isPattern(let test, let options, let other):
      return try SQLStringSearch.holds(test, other, string, options)
    case .order(let comparison, let options, let other):
      return comparison.holds(SQLStringOrder.order(string, other, options))
    case .orderOf(let other, let comparison, let options):
      return comparison.holds(SQLStringOrder.order(other, string, options))
    case .isOne(let others, let options):
      return others.contains { SQLStringOrder.order(string, $0, options) == .orderedSame }
    }
  }

  /// Returns the strings for which the answer is yes.
  package func those(of strings: [String]) throws -> [String] {
    guard case .isOne(let others, let options) = test, !options.contains(.localeSensitive) else {
      return try strings.filter(holds)
    }
    // The bytes are compared, because Swift's own equality treats composed and decomposed letters as equal.
    let fold = SQLStringFunction.fold(options)
    let known = Set(others.map { Array(fold($0).utf8) })
    return strings.filter { known.contains(Array(fold(functions($0)).utf8)) }
  }

  /// The same question about a string that is known to be ASCII, in SQL's own operators; nil if SQL cannot express it.
  package func ofASCII(_ string: SQLExpression) -> SQLExpression? {
    guard let string = functions.ofASCII(string) else { return nil }
    switch test {
    case .passes(.matches, _, _), .isPattern(.matches, _, _), .isPattern(.like, _, _): return nil
    case .passes(let test, let options, let pattern):
      guard let folded = SQLStringFunction.fold(options).ofASCII(string) else { return nil }
      if test == .like { return SQLPattern(pattern).condition(on: folded) }
      return .textTest(test, folded, pattern)
    case .isPattern(let test, let options, let other):
      let other = SQLStringFunction.fold(options)(other)
      guard !other.utf8.contains(0), let folded = SQLStringFunction.fold(options).ofASCII(string) else { return nil }
      return .stringTest(test, options: [], .value(.text(other)), folded)
    case .order(let comparison, let options, let other):
      guard !options.contains(.localeSensitive), let folded = SQLStringFunction.fold(options).ofASCII(string) else {
        return nil
      }
      return .compare(comparison, folded, .value(.text(SQLStringFunction.fold(options)(other))))
    case .orderOf(let other, let comparison, let options):
      return SQLStringQuestion(.order(comparison.flipped, options, other)).ofASCII(string)
    case .isOne(let others, let options):
      guard !options.contains(.localeSensitive), let folded = SQLStringFunction.fold(options).ofASCII(string) else {
        return nil
      }
      let others = others.map { SQLStringFunction.fold(options)($0) }.filter { !$0.utf8.contains(0) }
      return .inList(folded, .texts(others))
    }
  }
}

extension SQLComparison {
  /// Whether two values with that order pass the comparison.
  fileprivate func holds(_ order: ComparisonResult) -> Bool {
    switch self {
    case .equal, .is: order == .orderedSame
    case .notEqual, .isNot: order != .orderedSame
    case .less: order == .orderedAscending
    case .lessOrEqual: order != .orderedDescending
    case .greater: order == .orderedDescending
    case .greaterOrEqual: order != .orderedAscending
    }
  }

  /// The comparison for the same values in exchanged places.
  package var flipped: SQLComparison {
    switch self {
    case .equal, .notEqual, .is, .isNot: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension SQLStringSearch {
  fileprivate static func holds(
    _ test: SQLStringTest, _ string: String, _ pattern: String, _ options: SQLStringOptions
  ) throws -> Bool {
    var string = string, pattern = pattern
    return try string.withUTF8 { string in try pattern.withUTF8 { try holds(test, string, $0, options) } }
  }
}
