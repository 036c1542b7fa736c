import Foundation
import OpenCocoaFoundation

/// Converts the value of an expression into the type that its description names.
package enum ExpressionResult {
  /// The value in that type; unchanged if it cannot be converted.
  package static func coerced(_ value: Any?, to type: NSAttributeType) -> Any? {
    guard let value = StoredValue.unwrapped(value) else { return nil }
    switch type {
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      return value
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return number(value).map { SmallNumbers.number(integer($0)) } ?? value
    case .booleanAttributeType: return number(value).map { NSNumber(value: $0.double != 0) } ?? value
    case .doubleAttributeType: return number(value).map { NSNumber(value: $0.double) } ?? value
    case .floatAttributeType: return number(value).map { NSNumber(value: Float($0.double)) } ?? value
    case .decimalAttributeType: return number(value).map { NSDecimalNumber(decimal: decimal($0)) } ?? value
    case .dateAttributeType:
      return number(value).map { Date(timeIntervalSinceReferenceDate: $0.double) } ?? value
    case .stringAttributeType: return Operand(value).text ?? value
    case .URIAttributeType: return (Operand(value).text.flatMap { URL(string: $0) }) ?? value
    case .UUIDAttributeType: return uuid(value) ?? value
    case .binaryDataAttributeType: return data(value) ?? value
    }
  }

  private static func number(_ value: Any) -> ExactNumber? {
    switch Operand(value) {
    case .number(let number): number
    case .date(let seconds): .real(seconds)
    case .string(let text): ExactNumber(writtenIn: text)
    default: nil
    }
  }

  /// The number rounded to a whole number towards zero, or the nearest number that fits.
  private static func integer(_ number: ExactNumber) -> Int64 {
    if case .integer(let value) = number { return value }
    let whole = number.double.rounded(.towardZero)
    return Int64(exactly: whole) ?? (whole.isNaN ? 0 : whole < 0 ? .min : .max)
  }

  private static func decimal(_ number: ExactNumber) -> Decimal {
    switch number {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value
    // Uses the shortest text that reads back as the same number.
    case .real: Decimal(string: "\(number.double)") ?? .nan
    }
  }

  private static func uuid(_ value: Any) -> UUID? {
    switch Operand(value) {
    case .uuid(let uuid): uuid
    case .string(let text): UUID(uuidString: text)
    case .data(let data) where data.count == 16:
      data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    default: nil
    }
  }

  private static func data(_ value: Any) -> Data? {
    switch Operand(value) {
    case .data(let data): data
    case .uuid(let uuid): Data(bytesOf: uuid)
    case .string(let text): Data(text.utf8)
    default: nil
    }
  }
}
