import Foundation
import OpenCocoaFoundation

extension AttributeLimits {
  /// The limit that an attribute's value breaks; nil if the value keeps to all limits.
  func violation(of value: StoredValue, kind: ValueKind) -> Violation? {
    switch value {
    case .int(let number): violation(of: Decimal(number))
    case .decimal(let number): violation(of: number)
    case .double(let number) where kind == .date: violation(of: Date(timeIntervalSinceReferenceDate: number))
    case .double(let number): violation(of: number, isFloat: kind == .float)
    case .string(let text) where kind == .string: violation(of: text)
    default: nil
    }
  }

  private func violation(of number: Decimal) -> Violation? {
    // A Decimal that is not a number compares as if it were the smallest.
    if let maximum, number > maximum || number.isNaN { return .numberTooLarge }
    if let minimum, number < minimum || number.isNaN { return .numberTooSmall }
    return nil
  }

  /// Compares floating-point numbers: the largest ones, and infinity, cannot be converted to Decimal.
  private func violation(of number: Double, isFloat: Bool) -> Violation? {
    func limit(_ decimal: Decimal) -> Double {
      let limit = NSDecimalNumber(decimal: decimal).doubleValue
      // 0.1 as a Float is above 0.1 as a Double.
      return isFloat ? Double(Float(limit)) : limit
    }
    if let maximum, !(number <= limit(maximum)) { return .numberTooLarge }
    if let minimum, !(number >= limit(minimum)) { return .numberTooSmall }
    return nil
  }

  private func violation(of date: Date) -> Violation? {
    if let latest, date > latest { return .dateTooLate }
    if let earliest, date < earliest { return .dateTooSoon }
    return nil
  }

  private func violation(of text: String) -> Violation? {
    if minimum != nil || maximum != nil {
      let length = Decimal(text.utf16.count)  // NSString's length
      if let maximum, length > maximum { return .stringTooLong }
      if let minimum, length < minimum { return .stringTooShort }
    }
    // A pattern that is no valid regular expression matches nothing.
    if let pattern, (try? RegularExpressions.matches(text, pattern: pattern)) != true { return .stringPatternMatching }
    return nil
  }
}

extension AttributeLimits.Violation {
  /// The text of the error for a value beyond the limit.
  var text: String {
    switch self {
    case .numberTooLarge: "is too large."
    case .numberTooSmall: "is too small."
    case .dateTooLate: "is too late."
    case .dateTooSoon: "is too soon."
    case .stringTooLong: "is too long."
    case .stringTooShort: "is too short."
    case .stringPatternMatching: "does not match its pattern."
    }
  }
}
