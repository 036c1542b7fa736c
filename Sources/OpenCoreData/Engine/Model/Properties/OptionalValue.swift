import Foundation

/// Values that may be optionals in optionals, as `Any` hides them.
enum OptionalValue {
  /// Strips optionals in optionals and NSNull.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value, !(value is NSNull) else { return nil }
    if let optional = value as? any NestedOptional { return unwrapped(optional.wrapped) }
    return value
  }
}

/// Lets a value of unknown type be asked whether it is an optional.
protocol NestedOptional {
  var wrapped: Any? { get }
}

extension Optional: NestedOptional {
  var wrapped: Any? { map { $0 as Any } }
}
