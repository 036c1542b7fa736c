import Foundation

/// The smallest and largest value, length or date, and the pattern that a model sets for an attribute.
struct AttributeLimits: Equatable, Sendable {
  /// The smallest number allowed (numbers), or the smallest length in characters (strings).
  var minimum: Decimal?
  /// The largest number allowed (numbers), or the largest length in characters (strings).
  var maximum: Decimal?
  /// The earliest date allowed.
  var earliest: Date?
  /// The latest date allowed.
  var latest: Date?
  /// The regular expression that a whole string must match.
  var pattern: String?

  /// Whether nothing is limited.
  var isEmpty: Bool { minimum == nil && maximum == nil && earliest == nil && latest == nil && pattern == nil }
}
