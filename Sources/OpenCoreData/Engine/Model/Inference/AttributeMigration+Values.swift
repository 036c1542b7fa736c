import Foundation
import OpenCocoaFoundation

extension AttributeMigration {
  /// Returns the value of an object of the destination, from the value of the object of the source.
  ///
  /// A number is converted to the new type, and cut towards zero if that type has no fractions. A missing value becomes
  /// the default value if the attribute is new or has become mandatory. The elements of a composite attribute get their
  /// new names. The value of a derived attribute is nil, because the store computes it.
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

  /// Returns the number that a value is; nil for a value that is not a number.
  static func number(_ value: Any) -> NSNumber? {
    value as? NSNumber ?? (value as? Decimal).map(NSDecimalNumber.init(decimal:))
  }

  /// Returns a number converted to the type of an attribute; nil if the type cannot hold it. For a type that is not
  /// numeric the number is returned as it is.
  static func converted(_ number: NSNumber, to type: NSAttributeType) -> NSNumber? {
    switch type {
    case .integer16AttributeType: Int16(keyValue: number).map { NSNumber(value: $0) }
    case .integer32AttributeType: Int32(keyValue: number).map { NSNumber(value: $0) }
    case .integer64AttributeType: Int64(keyValue: number).map { NSNumber(value: $0) }
    case .booleanAttributeType: NSNumber(value: number.doubleValue != 0)
    case .doubleAttributeType: NSNumber(value: number.doubleValue)
    case .floatAttributeType: NSNumber(value: Float(number.doubleValue))
    // The digits are converted: a decimal made from a double would have the digits of its binary fraction.
    case .decimalAttributeType:
      number as? NSDecimalNumber ?? Decimal(string: number.stringValue).map(NSDecimalNumber.init(decimal:))
    default: number
    }
  }
}
