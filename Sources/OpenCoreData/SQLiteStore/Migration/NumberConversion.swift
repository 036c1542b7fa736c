import Foundation
import OpenCocoaFoundation

/// SQL that converts numbers of one type to another, by the rules of `AttributeMigration.value(of:)`.
struct NumberConversion {
  private let from: NSAttributeType
  private let to: NSAttributeType

  init(_ from: NSAttributeType, _ to: NSAttributeType) { (self.from, self.to) = (from, to) }

  private static let integers: [NSAttributeType: (least: String, most: String)] = [
    .integer16AttributeType: ("-32768", "32767"), .integer32AttributeType: ("-2147483648", "2147483647"),
    .integer64AttributeType: ("-9223372036854775808", "9223372036854775807"), .booleanAttributeType: ("0", "1"),
  ]
  private static let numbers: Set<NSAttributeType> = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
    .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
  ]

  /// Whether values have to be converted.
  private var isNeeded: Bool { from != to && Self.numbers.contains(from) && Self.numbers.contains(to) }

  private var isFromInteger: Bool { Self.integers[from] != nil }

  private var isFromReal: Bool { from == .doubleAttributeType || from == .floatAttributeType }

  /// Returns SQL for the value in the new type; nil if the value is written as it is, so that only the type of the column may
  /// change it.
  func expression(_ column: String) -> String? {
    guard isNeeded else { return nil }
    if to == .booleanAttributeType { return "\(column) <> 0" }
    if isFromInteger {
      if Self.integers[to] != nil || to == .doubleAttributeType || to == .decimalAttributeType { return nil }
      let isExact = from == .integer16AttributeType || from == .booleanAttributeType
      return isExact ? nil : converted(column)
    }
    if isFromReal {
      if Self.integers[to] != nil { return "CAST(\(column) AS INTEGER)" }
      if to == .doubleAttributeType { return nil }
    }
    return converted(column)
  }

  /// Returns a condition for the rows whose number the new type cannot hold; nil if there cannot be such rows.
  func misfits(_ column: String) -> String? {
    guard isNeeded, to != .booleanAttributeType else { return nil }
    if let range = Self.integers[to] {
      if isFromInteger {
        let widths: [NSAttributeType] = [
          .booleanAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        ]
        guard let before = widths.firstIndex(of: from), let after = widths.firstIndex(of: to), before > after else {
          return nil
        }
        return "\(column) NOT BETWEEN \(range.least) AND \(range.most)"
      }
      if isFromReal {
        // The conversion truncates towards zero.
        if to == .integer64AttributeType {
          return "NOT (\(column) >= -9223372036854775808.0 AND \(column) < 9223372036854775808.0)"
        }
        return "NOT (\(column) > \(range.least) - 1 AND \(column) < \(range.most) + 1)"
      }
    }
    let isInteresting =
      from == .decimalAttributeType ? Self.integers[to] != nil : to == .decimalAttributeType && isFromReal
    return isInteresting ? "\(column) IS NOT NULL AND \(converted(column)) IS NULL" : nil
  }

  private func converted(_ column: String) -> String { "\(Self.name)(\(column), \(from.rawValue), \(to.rawValue))" }

  // MARK: The function

  /// The name of an SQL function with the arguments `(value, type, new type)`. Its result is the number in the new type; NULL
  /// if that type cannot hold it.
  private static let name = "NSCoreDataConverted"

  /// Converts what SQL cannot convert: decimal numbers, and numbers that a Float rounds.
  static let function = SQLFunction(name: name, argumentCount: 3) { arguments in
    let types = (
      NSAttributeType(rawValue: UInt(arguments.integer(1))), NSAttributeType(rawValue: UInt(arguments.integer(2)))
    )
    guard let from = types.0, let to = types.1, let number = number(arguments.value(0), from),
      let result = AttributeMigration.converted(number, to: to)
    else { return .null }
    switch to {
    case .doubleAttributeType, .floatAttributeType: return .real(result.doubleValue)
    case .decimalAttributeType:
      let decimal = result.exactDecimal
      if decimal.isNaN { return .notANumber }
      return decimal.exactInteger.map(SQLValue.integer) ?? .real(Double("\(decimal)") ?? .nan)
    default: return .integer(result.int64Value)
    }
  }

  /// Returns the value of a column as an object has it.
  private static func number(_ value: SQLValue, _ type: NSAttributeType) -> NSNumber? {
    switch (value, type) {
    case (.integer(let value), .decimalAttributeType): NSDecimalNumber(decimal: Decimal(value))
    case (.real(let value), .decimalAttributeType): Decimal(string: "\(value)").map(NSDecimalNumber.init(decimal:))
    case (.notANumber, .decimalAttributeType): NSDecimalNumber.notANumber
    case (.text(let value), .decimalAttributeType): Decimal(string: value).map(NSDecimalNumber.init(decimal:))
    case (.integer(let value), .floatAttributeType): NSNumber(value: Float(value))
    case (.real(let value), .floatAttributeType): NSNumber(value: Float(value))
    case (.integer(let value), .doubleAttributeType): NSNumber(value: Double(value))
    case (.real(let value), _): NSNumber(value: value)
    case (.integer(let value), _): NSNumber(value: value)
    default: nil
    }
  }
}
