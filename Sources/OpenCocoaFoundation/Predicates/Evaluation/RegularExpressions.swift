import Foundation

/// The patterns of MATCHES: regular expressions that must cover the whole string.
package enum RegularExpressions {
  /// Whether a string matches a pattern as a whole.
  ///
  /// - Throws: `InvalidPattern` when the pattern is none; what ends an evaluation (`EvaluationLimit`).
  package static func matches(
    _ string: String, pattern: String, options: NSComparisonPredicate.Options = []
  ) throws -> Bool {
    var string = string
    var pattern = pattern
    if options.contains(.diacriticInsensitive) || options.contains(.widthInsensitive) {
      // Folding case as well would turn \W into \w; the expression does that itself.
      string = StringFolding.fold(string, options.subtracting(.caseInsensitive))
      pattern = StringFolding.fold(pattern, options.subtracting(.caseInsensitive))
    }
    let expression = try compiled(pattern, ignoresCase: options.contains(.caseInsensitive))
    if let limit = EvaluationLimit.current { return try limit.matches(expression, string, pattern: pattern) }
    return expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
  }

  /// The expression for a pattern, compiled once.
  ///
  /// - Throws: `InvalidPattern` when the pattern is none.
  package static func compiled(_ pattern: String, ignoresCase: Bool) throws -> NSRegularExpression {
    let key = Key(pattern: pattern, ignoresCase: ignoresCase)
    if let expression = cache.lock.withLock({ cache.expressions[key] }) { return expression }
    let expression: NSRegularExpression
    do {
      // The pattern is compiled alone first: ")(" is not a valid pattern, but would become valid inside of the group.
      if pattern.contains(")") { _ = try NSRegularExpression(pattern: pattern) }
      expression = try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: ignoresCase ? .caseInsensitive : [])
    } catch {
      throw InvalidPattern(pattern: pattern)
    }
    cache.lock.withLock {
      if cache.expressions.count >= cache.capacity { cache.expressions.removeAll() }
      cache.expressions[key] = expression
    }
    return expression
  }

  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  private static let cache = Cache()

  // Every access to the expressions holds the lock.
  private final class Cache: @unchecked Sendable {
    let lock = NSLock()
    let capacity = 128
    var expressions: [Key: NSRegularExpression] = [:]
  }
}

/// A pattern of MATCHES that is no regular expression.
package struct InvalidPattern: Error, CustomStringConvertible {
  package let pattern: String

  package var description: String { "Can't do regex matching, reason: Can't open pattern (pattern \(pattern))" }
}
