import Foundation

/// The patterns of MATCHES: regular expressions that must cover the whole string. Compiled patterns are kept in a cache.
package enum RegularExpressions {
  /// Whether a string matches a pattern as a whole.
  ///
  /// - Throws: `InvalidPattern` if the pattern is not valid, and the errors of `EvaluationLimit`.
  package static func matches(
    _ string: String, pattern: String, options: NSComparisonPredicate.Options = []
  ) throws -> Bool {
    try matchPattern(pattern, options).matches(string)
  }

  /// Returns the compiled expression of a pattern.
  ///
  /// - Throws: `InvalidPattern` if the pattern is not valid.
  package static func compiled(_ pattern: String, ignoresCase: Bool) throws -> NSRegularExpression {
    try matchPattern(pattern, ignoresCase ? .caseInsensitive : []).expression
  }

  /// Returns a pattern that is compiled.
  ///
  /// - Throws: `InvalidPattern` if the pattern is not valid.
  package static func matchPattern(
    _ pattern: String, _ options: NSComparisonPredicate.Options
  ) throws -> MatchPattern {
    let key = Key(pattern: pattern, options: StringFolding.Options(options))
    if let known = cache[key] { return known }
    let pattern = try MatchPattern(pattern, key.options)
    cache[key] = pattern
    return pattern
  }

  /// The scalars of a pattern and its options. A string's own equality does not tell composed letters from decomposed ones.
  private struct Key: Hashable {
    let pattern: String
    let options: StringFolding.Options

    static func == (left: Key, right: Key) -> Bool {
      left.options == right.options && StringBytes.equal(left.pattern, right.pattern)
    }

    func hash(into hasher: inout Hasher) {
      var pattern = pattern
      pattern.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(options.rawValue)
    }
  }

  private static let cache = Cache()

  // Every access to the patterns holds the lock.
  private final class Cache: @unchecked Sendable {
    private let lock = NSLock()
    private let capacity = 128
    private var patterns: [Key: MatchPattern] = [:]
    /// The pattern that was used last. A predicate that is evaluated for many objects asks for the same one each time.
    private var last: (key: Key, pattern: MatchPattern)?

    subscript(key: Key) -> MatchPattern? {
      get {
        lock.withLock {
          if let last, last.key == key { return last.pattern }
          guard let known = patterns[key] else { return nil }
          last = (key, known)
          return known
        }
      }
      set {
        lock.withLock {
          if patterns.count >= capacity { patterns.removeAll() }
          patterns[key] = newValue
        }
      }
    }
  }
}

/// A pattern of MATCHES that is no regular expression.
package struct InvalidPattern: Error, CustomStringConvertible {
  package let pattern: String

  package var description: String { "Can't do regex matching, reason: Can't open pattern (pattern \(pattern))" }
}
