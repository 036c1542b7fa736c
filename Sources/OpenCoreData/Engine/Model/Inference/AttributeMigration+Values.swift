import Foundation
import OpenCocoaFoundation

extension AttributeMigration {
  /// The value that an object of the destination has for the value of the object that it was.
  ///
  /// A number is one of the new type, cut towards zero where that has no fractions; a value that is missing and must not
  /// be is the default value; the elements of a composite attribute have their new names. What the store computes is nil.
  /// - Throws: 134110 (NSMigrationError), naming entity and attribute, for a number that the new type cannot hold.
  package func value(of value: Any?) throws -> Any? {
    if isDerived { return nil }
    guard source != nil, let value = OptionalValue.unwrapped(value) else { return fill }
    if let values = value as? [String: Any], !elements.isEmpty {
      var result: [String: Any] = [:]
      for element in elements {
        result[element.destination.name] = try element.value(of: element.source.flatMap { values[$0.name] })
      }
      return result.isEmpty ? nil : result
    }
    guard changes.contains(.converted), let number = Self.number(value) else { return value }
    if let converted = Self.converted(number, to: destination.attributeType) { return converted }
    throw MigrationObstacle(
      kind: .valueOutOfRange, entity: entityName, property: path,
      reason: "a number is out of the range of \(destination.attributeType.name)"
    ).error
  }

  /// The number that a value is; nil for any other value.
  static func number(_ value: Any) -> NSNumber? {
    value as? NSNumber ?? (value as? Decimal).map(NSDecimalNumber.init(decimal:))
  }

  /// Converts a number to a type of attribute; nil if the type cannot hold it. For other types the number stays unchanged.
  static func converted(_ number: NSNumber, to type: NSAttributeType) -> NSNumber? {
    switch type {
    case .integer16AttributeType: Int16(keyValue: number).map { NSNumber(value: $0) }
    case .integer32AttributeType: Int32(keyValue: number).map { NSNumber(value: $0) }
    case .integer64AttributeType: Int64(keyValue: number).map { NSNumber(value: $0) }
    case .booleanAttributeType: NSNumber(value: number.doubleValue != 0)
    case .doubleAttributeType: NSNumber(value: number.doubleValue)
    case .floatAttributeType: NSNumber(value: Float(number.doubleValue))
    // By way of the digits, since a decimal that is made of a double has the digits of its binary fraction.
    case .decimalAttributeType:
      number as? NSDecimalNumber ?? Decimal(string: number.stringValue).map(NSDecimalNumber.init(decimal:))
    default: number
    }
  }
}
