import OpenCocoaFoundation

/// Values of unknown type that may be optionals.
enum OptionalValue {
  /// Strips optionals in optionals and NSNull.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value = OpenCocoaFoundation.unwrapped(value), !isNull(value) else { return nil }
    return value
  }
}
