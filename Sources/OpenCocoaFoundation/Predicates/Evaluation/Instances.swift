import Foundation

/// Returns the value as an NSObject if its class is NSObject or a subclass; else nil.
///
/// A cast would try to bridge Swift values, and takes several times as long.
func instance(_ value: Any) -> NSObject? {
  guard type(of: value) is NSObject.Type else { return nil }
  // The type has just been checked.
  return unsafeDowncast(value as AnyObject, to: NSObject.self)
}

/// Returns the value as a String if it is a Swift string; else nil.
///
/// An existential stores a String inline, so it can be read from there. A cast takes several times as long.
func exactString(_ value: Any) -> String? {
  type(of: value) == String.self ? withUnsafeBytes(of: value) { $0.load(as: String.self) } : nil
}

/// Returns the value as an Int if it is one; else nil. As with strings, a cast takes several times as long.
func exactInteger(_ value: Any) -> Int? {
  type(of: value) == Int.self ? withUnsafeBytes(of: value) { $0.load(as: Int.self) } : nil
}

/// Whether a value is NSNull. The operator `is` would first convert an array to an NSArray, and likewise every other value that
/// Foundation bridges to a class.
package func isNull(_ value: Any?) -> Bool { value.map { type(of: $0) == NSNull.self } ?? false }

/// Returns the value that is wrapped in any number of Optionals; nil if there is none.
package func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  guard _openExistential(type(of: value), do: isOptional), let nested = value as? any NestedOptional else {
    return value
  }
  return unwrapped(nested.wrapped)
}

/// Whether a type is an Optional. This reads only the metadata of the type. A cast to a protocol would make the runtime look up a
/// conformance, which takes some hundred instructions for every value that is no Optional.
private func isOptional<Value>(_ type: Value.Type) -> Bool { _isOptional(type) }

/// Returns the wrapped type of an Optional type, or any other type itself.
package func unwrappedType(_ type: Any.Type) -> Any.Type {
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
