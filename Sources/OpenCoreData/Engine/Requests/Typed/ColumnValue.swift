import Foundation
import OpenCocoaFoundation

/// The types of the columns of a typed fetch, and the values that a store gives for them.
enum ColumnValue {
  /// The attribute type whose values a store is asked for; undefined for a type that tells none.
  static func type(_ type: Any.Type) -> NSAttributeType {
    switch unwrappedType(type) {
    case is Bool.Type: .booleanAttributeType
    case is Float.Type: .floatAttributeType
    case is Double.Type: .doubleAttributeType
    case is Decimal.Type: .decimalAttributeType
    case is any BinaryInteger.Type: .integer64AttributeType
    case is String.Type: .stringAttributeType
    case is Date.Type: .dateAttributeType
    case is Data.Type: .binaryDataAttributeType
    case is UUID.Type: .UUIDAttributeType
    case is URL.Type: .URIAttributeType
    default: .undefinedAttributeType
    }
  }

  /// Returns the value of a column.
  /// - Throws: 134060 for a value of another type, which names the property and both types.
  static func read<Value>(_ value: Any?, as type: Value.Type, _ name: String) throws -> Value {
    let value = StoredValue.unwrapped(value)
    if let optional = type as? any OptionalColumn.Type {
      let wrapped = try value.map { try optional.wrap($0, name) } ?? optional.none
      if let result = wrapped as? Value { return result }
    } else if let value, let result = number(value, as: type) ?? (value as? Value) {
      return result
    }
    throw NSError(
      coreData: NSCoreDataError,
      "The column \(name) has \(value.map { "a value of the type \(Swift.type(of: $0))" } ?? "no value") where \(type) was expected."
    )
  }

  /// Returns the value of a number as a type of Swift; nil for what is no number, and for a number that the type does not have.
  private static func number<Value>(_ value: Any, as type: Value.Type) -> Value? {
    guard let number = value as? NSNumber else { return nil }
    switch type {
    case is Bool.Type: return number.boolValue as? Value
    case is Double.Type: return number.doubleValue as? Value
    case is Float.Type: return number.floatValue as? Value
    case is Decimal.Type: return number.decimalValue as? Value
    case let integer as any BinaryInteger.Type: return exactly(number, integer) as? Value
    default: return nil
    }
  }

  private static func exactly<Integer: BinaryInteger>(_ number: NSNumber, _ type: Integer.Type) -> Integer? {
    Integer(exactly: number.int64Value)
  }
}

/// An Optional, whose missing value is the value nil.
private protocol OptionalColumn {
  static var none: Self { get }
  static func wrap(_ value: Any, _ name: String) throws -> Self
}

extension Optional: OptionalColumn {
  fileprivate static func wrap(_ value: Any, _ name: String) throws -> Wrapped? {
    .some(try ColumnValue.read(value, as: Wrapped.self, name))
  }
}
