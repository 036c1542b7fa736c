import OpenCocoaFoundation

/// Values of unknown type that may be optionals.
enum OptionalValue {
  /// Returns a value without the optionals around it; nil for nil and for NSNull.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value = OpenCocoaFoundation.unwrapped(value), !isNull(value) else { return nil }
    return value
  }
}
