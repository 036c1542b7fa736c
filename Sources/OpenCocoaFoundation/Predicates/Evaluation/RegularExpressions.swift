import Foundation

/// The patterns of MATCHES: regular expressions that must cover the whole string.
package enum RegularExpressions {
  /// Whether a string matches a pattern as a whole.
  ///
  /// - Throws: `InvalidPattern` if the pattern is not valid, and the errors of `EvaluationLimit`.
  package static func matches(
    _ string: String, pattern: String, options: NSComparisonPredicate.Options = []
  ) throws -> Bool {
    var string = string
    var pattern = pattern
    if options.contains(.diacriticInsensitive) || options.contains(.widthInsensitive) {
      // Case is not folded, because that would turn \W into \w. The regular expression has an option to ignore case.
      string = StringFolding.fold(string, options.subtracting(.caseInsensitive))
      pattern = StringFolding.fold(pattern, options.subtracting(.caseInsensitive))
    }
    let expression = try compiled(pattern, ignoresCase: options.contains(.caseInsensitive))
    if let limit = EvaluationLimit.current { return try limit.matches(expression, string, pattern: pattern) }
    return expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
  }

  /// Returns the compiled expression of a pattern, which is kept in a cache.
  ///
  /// - Throws: `InvalidPattern` if the pattern is not valid.
  package static func compiled(_ pattern: String, ignoresCase: Bool) throws -> NSRegularExpression {
    let key = Key(pattern: pattern, ignoresCase: ignoresCase)
    if let expression = cache.lock.withLock({ cache.expressions[key] }) { return expression }
    let expression: NSRegularExpression
    do {
      // The pattern is first compiled alone: ")(" is not valid, but inside of the group it would be.
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
