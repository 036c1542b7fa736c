import Foundation

/// The comparison operators of strings.
package enum StringComparison {
  /// Compares two strings that are already folded by the options.
  static func holds(
    _ operation: NSComparisonPredicate.Operator, _ left: String, _ right: String
  ) -> Bool {
    switch operation {
    case .beginsWith: StringBytes.hasPrefix(left, right)
    case .endsWith: StringBytes.hasSuffix(left, right)
    case .like: WildcardPattern.matches(left, pattern: right)
    default: false
    }
  }

  /// Whether a string matches a regular expression.
  ///
  /// - Throws: `OCDEvaluationError` if the pattern is not valid, and the errors of `EvaluationLimit`.
  static func matches(_ string: String, pattern: String, options: NSComparisonPredicate.Options) throws -> Bool {
    do {
      return try RegularExpressions.matches(string, pattern: pattern, options: options)
    } catch let error as InvalidPattern {
      throw OCDEvaluationError(
        "Can't do regex matching, reason: Can't open pattern (string \(string), pattern \(error.pattern))")
    }
  }

  /// Returns the order of two strings in the current locale.
  package static func localizedOrder(
    _ left: String, _ right: String, options: NSComparisonPredicate.Options
  ) -> ComparisonResult {
    var mask: String.CompareOptions = []
    if options.contains(.caseInsensitive) { mask.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { mask.insert(.diacriticInsensitive) }
    if options.contains(.widthInsensitive) { mask.insert(.widthInsensitive) }
    return StringOrder.localized(left, right, mask)
  }
}
