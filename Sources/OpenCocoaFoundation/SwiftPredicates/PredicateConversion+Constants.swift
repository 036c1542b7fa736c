import Foundation

extension PredicateExpressions.Value: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(NSExpression(forConstantValue: try PredicateConversion.constant(value)))
  }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(NSExpression(forConstantValue: nil))
  }
}

extension PredicateConversion {
  /// Returns a value for a constant expression. Throws an error if no property can have its type.
  static func constant(_ value: Any) throws -> Any? {
    guard let value = unwrapped(value) else { return nil }
    if let object = instance(value) { return object }
    switch value {
    case is String, is Date, is UUID, is Data, is URL, is Decimal: return value
    case let character as Character: return String(character)
    case let text as Substring: return String(text)
    case let number as NSNumber: return number
    case let representable as any RawRepresentable: return try constant(representable.rawValue)
    case let dictionary as [String: Any]: return try dictionary.mapValues { try constant($0) ?? NSNull() }
    default: break
    }
    guard let elements = elements(of: value), type(of: value) is any ElementCollection.Type else {
      throw OCDConversionError.unstorable(type(of: value))
    }
    let constants = try elements.map { try constant($0) ?? NSNull() }
    // A set remains a set, unless it has elements of an enumeration: a store has no such values, only their raw values.
    let isSet = !OpenCocoaFoundation.isOrdered(value) && !elements.contains { $0 is any RawRepresentable }
    return isSet ? value : constants
  }

  /// Whether a type's values are strings.
  static func isText(_ type: Any.Type) -> Bool { type == String.self || type == Substring.self }

  /// Whether predicates order the values of a type as Swift does. Other types may have an order of their own.
  static func isOrdered(_ type: Any.Type) -> Bool {
    type is any Numeric.Type || isText(type) || type == Date.self
  }
}

/// Whether a type is that of a to-many relationship, maybe as an Optional. A to-many relationship is never nil.
func isToMany(_ type: Any.Type) -> Bool {
  (unwrappedType(type) as? any ElementCollection.Type)?.elementType is any PredicateIdentity.Type
}

/// A collection type whose elements predicates can compare and filter.
protocol ElementCollection: Collection {}

extension ElementCollection {
  fileprivate static var elementType: Any.Type { Element.self }
}

extension Array: ElementCollection {}

extension Set: ElementCollection {}
