import Foundation
import OpenCocoaFoundation

/// Values of store options, in the forms that applications give them.
package enum StoreOptionValue {
  /// Reads a Boolean: NSNumber, Bool, or a string such as "YES" that stands for one; false if the option is missing.
  /// - Throws: 134080 for anything else, naming the option.
  package static func flag(_ key: String, in options: [AnyHashable: Any]?) throws -> Bool {
    guard let value = StoredValue.unwrapped(options?[key]) else { return false }
    if let value = value as? Bool { return value }
    if let value = value as? NSNumber { return value.boolValue }
    switch (value as? String)?.lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0": return false
    default: throw invalid(key, value, "a Boolean")
    }
  }

  /// Reads a number: NSNumber, or a string that can be read as one; nil if the option is missing.
  /// - Throws: 134080 for anything else, naming the option.
  package static func number(_ key: String, in options: [AnyHashable: Any]?) throws -> Double? {
    guard let value = StoredValue.unwrapped(options?[key]) else { return nil }
    if let value = value as? Double { return value }
    if let value = value as? NSNumber { return value.doubleValue }
    if let value = (value as? String).flatMap(Double.init) { return value }
    throw invalid(key, value, "a number")
  }

  private static func invalid(_ key: String, _ value: Any, _ wanted: String) -> NSError {
    NSError(
      coreData: NSPersistentStoreOpenError,
      "The option \(key) must be \(wanted), not \(ValueText.of(value)), a \(type(of: value)).")
  }

  /// Reads the seconds to wait for locks of other processes: 240 if the option is missing, 0 if the number is negative.
  package static func timeout(_ options: [AnyHashable: Any]?) throws -> TimeInterval {
    let seconds = try number(NSPersistentStoreTimeoutOption, in: options) ?? 240
    return seconds >= 0 ? min(seconds, 1_000_000) : 0
  }
}
