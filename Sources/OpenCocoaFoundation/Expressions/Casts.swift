import Foundation

/// The conversions of `CAST(value, 'type')`.
enum Casts {
  /// - Throws: `OCDEvaluationError` if `type` is not the name of a type that values can be converted to.
  static func cast(_ value: Any?, to type: Any?) throws -> Any? {
    guard let name = type as? String else {
      throw OCDEvaluationError("Don't know how to cast to \(ValueText.of(type))")
    }
    let operand = Operand(value)
    if operand.isNull { return nil }
    switch name {
    case "NSString", "String": return string(operand, value)
    case "NSNumber": return number(operand)?.nsNumber
    case "NSDecimalNumber": return decimal(operand)
    case "NSDate", "Date": return number(operand).map { Date(timeIntervalSinceReferenceDate: $0.double) }
    case "NSURL", "URL": return operand.text.flatMap(URL.init(string:))
    case "NSUUID", "UUID": return operand.text.flatMap(UUID.init(uuidString:)) ?? (value as? UUID)
    case "NSArray": return elements(of: value)
    case "NSSet": return elements(of: value).map { GatheredSet($0) }
    default: throw OCDEvaluationError("Don't know how to cast to \(name)")
    }
  }

  private static func string(_ operand: Operand, _ value: Any?) -> String {
    operand.text ?? value.map(ValueText.of) ?? ""
  }

  private static func number(_ operand: Operand) -> ExactNumber? {
    switch operand {
    case .number(let number): number
    case .date(let seconds): .real(seconds)
    case .string(let string): ExactNumber(writtenIn: string)
    default: nil
    }
  }

  private static func decimal(_ operand: Operand) -> NSDecimalNumber? {
    switch operand {
    case .number(.decimal(let decimal)): NSDecimalNumber(decimal: decimal)
    case .number(let number): NSDecimalNumber(string: number.nsNumber.stringValue)
    case .date(let seconds): NSDecimalNumber(decimal: NSNumber(value: seconds).exactDecimal)
    case .string(let string): Decimal(string: string).map { NSDecimalNumber(decimal: $0) }
    default: nil
    }
  }
}
