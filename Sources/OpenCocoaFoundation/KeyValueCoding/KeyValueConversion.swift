import Foundation

/// Converts values of any type to the type of a property, as key-value coding on Apple's systems unwraps numbers.
enum KeyValueConversion {
  enum Result<Value> {
    case value(Value)
    /// The value is nil, but the type cannot be nil.
    case hasNoNil
    case mismatch
  }

  static func convert<Value>(_ value: Any?, to type: Value.Type) -> Result<Value> {
    guard let converted = converted(value, type) else {
      let isNil = unwrapped(value) == nil || isNull(value)
      return isNil ? .hasNoNil : .mismatch
    }
    return (converted as? Value).map(Result.value) ?? .mismatch
  }

  /// Returns the value converted to `type`; nil if it cannot be converted.
  private static func converted(_ value: Any?, _ type: Any.Type) -> Any? {
    if let optional = type as? any NestedOptional.Type {
      guard let value = unwrapped(value) else { return optional.init(wrapping: nil) }
      if let inner = converted(value, optional.wrappedType) { return optional.init(wrapping: inner) }
      return isNull(value) ? optional.init(wrapping: nil) : nil
    }
    guard let value = unwrapped(value) else { return nil }
    if let number = type as? any KeyValueNumber.Type { return boxedNumber(value).flatMap(number.init(keyValue:)) }
    if Swift.type(of: value) == type { return value }
    if let enumeration = type as? any RawRepresentable.Type, let made = made(enumeration, value) { return made }
    return collection(value, type) ?? bridged(value, type)
  }

  private static func boxedNumber(_ value: Any) -> NSNumber? {
    value as? NSNumber ?? (value as? Decimal).map(NSDecimalNumber.init(decimal:))
  }

  private static func made<Value: RawRepresentable>(_ type: Value.Type, _ value: Any) -> Any? {
    (converted(value, Value.RawValue.self) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }

  /// Returns a mutable collection, which a cast cannot make; nil for other types.
  private static func collection(_ value: Any, _ type: Any.Type) -> Any? {
    switch type {
    case is NSMutableArray.Type: (value as? NSArray).map { NSMutableArray(array: $0 as? [Any] ?? []) }
    case is NSMutableOrderedSet.Type: (value as? NSOrderedSet).map { NSMutableOrderedSet(array: $0.array) }
    case is NSMutableSet.Type: (value as? NSSet).map { NSMutableSet(array: $0.allObjects) }
    default: nil
    }
  }

  private static func bridged(_ value: Any, _ type: Any.Type) -> Any? {
    // Foundation bridges a set of any subclass of NSSet to an empty set.
    if let set = value as? NSSet, Swift.type(of: set) != NSSet.self { return cast(NSSet(array: set.allObjects), type) }
    return cast(value, type)
  }

  private static func cast(_ value: Any, _ type: Any.Type) -> Any? {
    func open<Value>(_ type: Value.Type) -> Any? { value as? Value }
    return _openExistential(type, do: open)
  }

  /// Returns a value in the form in which key-value coding returns it; a value of an enumeration as its raw number, if it has
  /// one.
  static func boxed<Value>(_ value: Value) -> Any? {
    guard let boxed = KeyValueCoding.boxed(value) else { return nil }
    if !(boxed is NSObject), let enumeration = boxed as? any RawRepresentable { return rawNumber(enumeration) ?? boxed }
    return boxed
  }

  private static func rawNumber(_ value: some RawRepresentable) -> NSNumber? {
    value.rawValue is any BinaryInteger ? value.rawValue as? NSNumber : nil
  }
}
