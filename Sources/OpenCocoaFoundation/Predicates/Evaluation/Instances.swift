import Foundation

/// The object itself, if a value is an object of Foundation's classes.
///
/// A cast would try to bridge values of Swift and takes several times as long.
func instance(_ value: Any) -> NSObject? {
  guard type(of: value) is NSObject.Type else { return nil }
  // The type was just asked for.
  return unsafeDowncast(value as AnyObject, to: NSObject.self)
}

/// The string itself, if a value is one of Swift's.
///
/// It lies in the existential's own words; a cast takes several times as long.
func exactString(_ value: Any) -> String? {
  type(of: value) == String.self ? withUnsafeBytes(of: value) { $0.load(as: String.self) } : nil
}

/// The value inside of any number of Optionals.
package func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  if instance(value) != nil { return value }
  guard let nested = value as? any NestedOptional else { return value }
  return unwrapped(nested.wrapped)
}

/// The type itself, or that which it is an Optional of.
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
