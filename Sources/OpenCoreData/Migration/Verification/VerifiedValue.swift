import Foundation
import OpenCocoaFoundation

/// The comparison of attribute values, and their texts in messages.
enum VerifiedValue {
  /// Whether two values are equal: numbers by value, and texts by their UTF-8 bytes. A missing value equals a composite
  /// attribute without values.
  static func isSame(_ first: Any?, _ second: Any?) -> Bool {
    switch (StoredValue.unwrapped(first), StoredValue.unwrapped(second)) {
    case (nil, nil): return true
    case (let first as [String: Any], let second as [String: Any]):
      return Set(first.keys).union(second.keys).allSatisfy { isSame(first[$0], second[$0]) }
    case (nil, let values as [String: Any]), (let values as [String: Any], nil):
      return values.values.allSatisfy { isSame($0, nil) }
    case (let first as String, let second as String): return first.utf8.elementsEqual(second.utf8)
    case (let first as NSNumber, let second as NSNumber): return isSame(first, second)
    case (let first as Data, let second as Data): return first == second
    // A row stores a URI as text.
    case (let first as URL, let second as String): return first.absoluteString == second
    case (let first as String, let second as URL): return first == second.absoluteString
    case (let first?, let second?): return (first as? NSObject)?.isEqual(second) ?? ("\(first)" == "\(second)")
    default: return false
    }
  }

  private static func isSame(_ first: NSNumber, _ second: NSNumber) -> Bool {
    if first is NSDecimalNumber || second is NSDecimalNumber {
      // A column may store a decimal number as a double.
      return first.compare(second) == .orderedSame || first.doubleValue == second.doubleValue
    }
    let (a, b) = (first.doubleValue, second.doubleValue)
    guard a == b else { return a.isNaN && b.isNaN }
    // Beyond 2^53, a double does not distinguish all integers.
    return abs(a) < 0x1p53 || first.int64Value == second.int64Value
  }

  /// A value in a message, unless its attribute is secret.
  static func text(_ value: Any?, of property: NSPropertyDescription) -> String {
    if property.hasSecretValues { return SecretAttributes.redacted }
    switch StoredValue.unwrapped(value) {
    case nil: return "no value"
    case let data as Data: return "\(data.count) bytes"
    case let text as String: return text.count > 80 ? "“\(text.prefix(80))…”" : "“\(text)”"
    case let date as Date where !date.timeIntervalSinceReferenceDate.isFinite: return ValueText.of(date)
    case let date as Date: return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    case let value?: return ValueText.of(value)
    }
  }
}
