import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

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

  /// The error code in NSCocoaErrorDomain for a violation of a limit.
  enum Violation: Int, Sendable {
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPatternMatching = 1680

    /// Whether the length of the value is compared, not the value.
    var isOfLength: Bool { self == .stringTooLong || self == .stringTooShort }

    /// How the value must compare to the limit.
    var comparison: NSComparisonPredicate.Operator {
      switch self {
      case .numberTooSmall, .dateTooSoon, .stringTooShort: .greaterThanOrEqualTo
      case .numberTooLarge, .dateTooLate, .stringTooLong: .lessThanOrEqualTo
      case .stringPatternMatching: .matches
      }
    }
  }

  /// One limit: the value on the right of a comparison, and the error code of its violation.
  struct Limit {
    let value: NSObject
    let violation: Violation

    /// The limit as a predicate on the attribute's value.
    var predicate: NSPredicate {
      NSComparisonPredicate(
        leftExpression: violation.isOfLength
          ? NSExpression(forKeyPath: "length") : NSExpression.expressionForEvaluatedObject(),
        rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: violation.comparison)
    }
  }

  /// Returns the limits one by one, for an attribute of the given type.
  func list(for type: NSAttributeType) -> [Limit] {
    let isString = type == .stringAttributeType
    var result: [Limit] = []
    if let minimum {
      result.append(Limit(value: Self.number(minimum), violation: isString ? .stringTooShort : .numberTooSmall))
    }
    if let maximum {
      result.append(Limit(value: Self.number(maximum), violation: isString ? .stringTooLong : .numberTooLarge))
    }
    if let earliest { result.append(Limit(value: earliest as NSDate, violation: .dateTooSoon)) }
    if let latest { result.append(Limit(value: latest as NSDate, violation: .dateTooLate)) }
    if let pattern { result.append(Limit(value: pattern as NSString, violation: .stringPatternMatching)) }
    return result
  }

  /// Returns a whole number as an integer, and any other number as a decimal number.
  private static func number(_ decimal: Decimal) -> NSNumber {
    let number = NSDecimalNumber(decimal: decimal)
    return Decimal(number.int64Value) == decimal ? NSNumber(value: number.int64Value) : number
  }
}
