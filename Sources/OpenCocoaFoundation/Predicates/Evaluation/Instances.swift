import Foundation

/// The object itself, if a value is an object of Foundation's classes.
///
/// A cast would try to bridge values of Swift and takes several times as long.
func instance(_ value: Any) -> NSObject? {
  guard type(of: value) is NSObject.Type else { return nil }
  // The type was just asked for.
  return unsafeDowncast(value as AnyObject, to: NSObject.self)
}

/// The string in a value, if the value is a Swift string.
///
/// It is read from the words of the `Any`, because a cast takes several times as long.
func exactString(_ value: Any) -> String? {
  type(of: value) == String.self ? withUnsafeBytes(of: value) { $0.load(as: String.self) } : nil
}

/// Whether it is NSNull. The operator `is` would first make an NSArray of an array, and so of every value that Foundation
/// bridges to a class.
package func isNull(_ value: Any?) -> Bool { value.map { type(of: $0) == NSNull.self } ?? false }

/// The value inside of any number of Optionals.
package func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  guard _openExistential(type(of: value), do: isOptional), let nested = value as? any NestedOptional else {
    return value
  }
  return unwrapped(nested.wrapped)
}

/// Looks at the type's metadata alone. A cast to a protocol asks the runtime for a conformance, which costs some hundred
/// instructions for every value that is no Optional.
private func isOptional<Value>(_ type: Value.Type) -> Bool { _isOptional(type) }

/// The type itself, or the type that it is an Optional of.
func unwrappedType(_ type: Any.Type) -> Any.Type {
  (type as? any NestedOptional.Type)?.wrappedType ?? type
}

/// An Optional of any type.
protocol NestedOptional {
  static var wrappedType: Any.Type { get }
  var wrapped: Any? { get }
  init(wrapping value: Any?)
}

extension Optional: NestedOptional {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrapped: Any? { self.map { $0 as Any } }
  init(wrapping value: Any?) { self = value as? Wrapped }
}
