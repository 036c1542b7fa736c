import Foundation

/// Reads the default value of an attribute from the text of a source model.
enum DefaultValue {
  /// Returns the default value, in the attribute's type; nil if there is none. Also nil if the type is not numeric and
  /// the text is no value of it: such text is left over from another type, and Apple's compiler ignores it.
  static func read(_ element: XMLElementTree, type: NSAttributeType) throws -> Any? {
    if type == .dateAttributeType {
      return element["defaultDateTimeInterval"].flatMap(Double.init).map(Date.init(timeIntervalSinceReferenceDate:))
    }
    guard let text = element["defaultValueString"] else { return nil }
    switch type {
    case .stringAttributeType: return text
    case .booleanAttributeType: return NSNumber(value: try number(text) != 0)
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      let value = try number(text)
      let range = range(of: type)
      // Compared before the conversion, which would wrap around.
      guard value >= Decimal(range.lowerBound), value <= Decimal(range.upperBound) else {
        throw ModelProblem.inconsistent(
          "The default value “\(text)” does not fit the type, which holds \(range.lowerBound) to \(range.upperBound).")
      }
      return NSNumber(value: NSDecimalNumber(decimal: value).int64Value)
    case .doubleAttributeType:
      return NSNumber(value: try finite(Double(text) ?? NSDecimalNumber(decimal: number(text)).doubleValue, text))
    case .floatAttributeType:
      return NSNumber(value: try finite(Float(text) ?? NSDecimalNumber(decimal: number(text)).floatValue, text))
    case .decimalAttributeType: return NSDecimalNumber(decimal: try number(text))
    case .UUIDAttributeType: return UUID(uuidString: text)
    case .URIAttributeType: return text.isEmpty ? nil : URL(string: text)
    default: return nil
    }
  }

  private static func finite<Number: BinaryFloatingPoint>(_ number: Number, _ text: String) throws -> Number {
    guard number.isFinite else {
      throw ModelProblem.inconsistent("The default value “\(text)” is not finite, or too large for the type.")
    }
    return number
  }

  /// Whether a default value that a compiled model states fits the type of its attribute. New objects begin with that
  /// value.
  static func isValue(_ value: Any, of type: NSAttributeType) -> Bool {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return (value as? NSNumber).flatMap { Int64(keyValue: $0) }.map(range(of: type).contains) ?? false
    case .decimalAttributeType: return (value as? NSNumber)?.doubleValue.isFinite ?? false
    case .doubleAttributeType, .floatAttributeType, .booleanAttributeType: return value is NSNumber
    case .stringAttributeType: return value is String
    case .dateAttributeType: return value is Date
    case .binaryDataAttributeType: return value is Data
    case .UUIDAttributeType: return value is UUID
    case .URIAttributeType: return value is URL
    default: return true
    }
  }

  private static func range(of type: NSAttributeType) -> ClosedRange<Int64> {
    switch type {
    case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
    case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
    default: Int64.min...Int64.max
    }
  }

  /// Converts a whole text to a number, in the notation of source models, which does not depend on a locale.
  static func decimal(_ text: String) -> Decimal? {
    guard Double(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Converts a text to a number. A Boolean counts as 1 or 0: it is left over from another type.
  private static func number(_ text: String) throws -> Decimal {
    switch text {
    case "YES", "true": return 1
    case "NO", "false": return 0
    default:
      guard let value = decimal(text) else {
        throw ModelProblem.inconsistent("The default value “\(text)” is not a number.")
      }
      return value
    }
  }
}
