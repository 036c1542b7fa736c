import Foundation

/// Makes texts of values for messages, also of values that cannot be printed as usual.
package enum ValueText {
  /// The greatest depth of nested collections that is printed.
  private static let depthLimit = 32

  /// Returns the value as string interpolation prints it; `nil` as text if there is no value.
  ///
  /// Foundation on Linux stops a program that prints a date whose seconds are not a number (NaN), also if the date is in a
  /// collection. Printing collections that are nested very deep overflows the stack. Both are detected and printed otherwise.
  package static func of(_ value: Any?) -> String {
    guard let value = unwrapped(value) else { return "nil" }
    return isPrintable(value, 0) ? "\(value)" : text(value, 0)
  }

  private static func isPrintable(_ value: Any, _ depth: Int) -> Bool {
    if depth > depthLimit { return false }
    if let date = value as? Date { return !date.timeIntervalSinceReferenceDate.isNaN }
    guard let elements = elements(value) else { return true }
    return elements.allSatisfy { isPrintable($0, depth + 1) }
  }

  private static func text(_ value: Any, _ depth: Int) -> String {
    if depth > depthLimit { return "..." }
    if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN { return "a date that is not a number" }
    if let dictionary = value as? NSDictionary {
      let pairs = dictionary.map { "\(text($0.key, depth + 1)): \(text($0.value, depth + 1))" }
      return "[" + (pairs.isEmpty ? ":" : pairs.sorted().joined(separator: ", ")) + "]"
    }
    guard let elements = elements(value) else { return "\(value)" }
    return "[" + elements.map { text($0, depth + 1) }.joined(separator: ", ") + "]"
  }

  /// Returns the elements of a collection; nil if the value is no collection.
  private static func elements(_ value: Any) -> [Any]? {
    switch value {
    case is String: nil
    case let dictionary as NSDictionary: dictionary.allKeys + dictionary.allValues
    case let array as NSArray: array.map { $0 }
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let dictionary as [AnyHashable: Any]: dictionary.keys.map { $0.base } + Array(dictionary.values)
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map { $0.base }
    default: nil
    }
  }
}
