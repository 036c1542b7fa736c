import Foundation
import OpenCocoaFoundation

extension StoredValue {
  /// Takes a value from outside for an attribute: any number type for a number, nested optionals and NSNull for nil.
  ///
  /// A value of the wrong type stops the program as Apple's exception does.
  /// - Parameter isSet: whether the value is being set, so that the message names the way to set it that throws.
  package static func make(_ value: Any?, for slot: PropertySlot, entity: String, isSet: Bool = false) -> StoredValue {
    if let converted = converted(value, for: slot) { return converted }
    let problem = unacceptable(value, for: slot, entity: entity)
    raise(.invalidArgument, isSet ? problem + " " + checkedWay : problem)
  }

  /// Names the way to set values that may be wrong.
  static let checkedWay = "For values from outside there is setCheckedValue(_:forKey:), which throws instead."

  /// The same for a value that may be wrong: gives nil for a value that the attribute cannot have.
  package static func converted(_ value: Any?, for slot: PropertySlot) -> StoredValue? {
    if let value, let exact = ExactValue.stored(value, slot.kind) { return exact }
    guard let value = unwrapped(value) else { return .null }
    return convert(value, slot)
  }

  /// The message for a value that the attribute cannot have.
  package static func unacceptable(_ value: Any?, for slot: PropertySlot, entity: String) -> String {
    let value = unwrapped(value) ?? NSNull()
    let shown = slot.property.hasSecretValues ? SecretAttributes.redacted : ValueText.of(value)
    let given = "given type = \(type(of: value)); value = \(shown)"
    if slot.kind.isInteger, isNumber(value) {
      return "Unacceptable value for attribute: property = \"\(slot.name)\"; desired type = \(slot.kind); \(given) is "
        + "out of range; entity = \(entity)."
    }
    let wanted = slot.attribute.attributeValueClassName ?? "an object"
    return "Unacceptable type of value for attribute: property = \"\(slot.name)\"; desired type = \(wanted); \(given); "
      + "entity = \(entity)."
  }

  private static func isNumber(_ value: Any) -> Bool {
    value is any FixedWidthInteger || value is any BinaryFloatingPoint || value is NSNumber || value is Decimal
  }

  /// Strips optionals in optionals and NSNull.
  package static func unwrapped(_ value: Any?) -> Any? { OptionalValue.unwrapped(value) }

  private static func convert(_ value: Any, _ slot: PropertySlot) -> StoredValue? {
    switch slot.kind {
    case .int16: return integer(value, in: Int64(Int16.min)...Int64(Int16.max))
    case .int32: return integer(value, in: Int64(Int32.min)...Int64(Int32.max))
    case .int64: return integer(value, in: Int64.min...Int64.max)
    case .bool: return integer(value, in: Int64.min...Int64.max).map { .int($0.isZero ? 0 : 1) }
    case .double: return floating(value).map(StoredValue.double)
    case .float: return floating(value).map { .double(Double(Float($0))) }
    case .decimal: return decimal(value).map(StoredValue.decimal)
    case .string: return ((value as? String) ?? (value as? NSString).map(String.init(_:))).map(StoredValue.string)
    case .date:
      let date = (value as? Date) ?? (value as? NSDate).map { $0 as Date }
      return date.map { .double($0.timeIntervalSinceReferenceDate) }
    case .data: return ((value as? Data) ?? (value as? NSData).map { $0 as Data }).map(StoredValue.data)
    case .uuid: return ((value as? UUID) ?? (value as? NSUUID).map { $0 as UUID }).map(StoredValue.uuid)
    case .uri:
      return ((value as? URL) ?? (value as? NSURL).map { $0 as URL }).map { .string($0.absoluteString) }
    case .transformable: return .transformed(TransformedValue(value))
    case .anything: return .other(value)
    case .toOne, .toMany, .composite: return nil
    }
  }

  private var isZero: Bool { if case .int(0) = self { true } else { false } }

  private static func integer(_ value: Any, in range: ClosedRange<Int64>) -> StoredValue? {
    let number: Int64
    switch value {
    case let value as Int: number = Int64(value)
    case let value as Bool: number = value ? 1 : 0
    case let value as any FixedWidthInteger:
      guard let exact = Int64(exactly: value) else { return nil }
      number = exact
    case let value as NSNumber:
      guard let exact = Int64(keyValue: value) else { return nil }
      number = exact
    case let value as Double:
      guard let exact = Int64(exactly: value.rounded(.towardZero)) else { return nil }
      number = exact
    case let value as any BinaryFloatingPoint:
      guard let exact = Int64(exactly: Double(value).rounded(.towardZero)) else { return nil }
      number = exact
    case let value as Decimal:
      guard let exact = Int64(keyValue: NSDecimalNumber(decimal: value)) else { return nil }
      number = exact
    default: return nil
    }
    return range.contains(number) ? .int(number) : nil
  }

  private static func floating(_ value: Any) -> Double? {
    switch value {
    case let value as Double: value
    case let value as Float: Double(value)
    case let value as Int: Double(value)
    case let value as Bool: value ? 1 : 0
    case let value as any FixedWidthInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as NSNumber: value.doubleValue
    case let value as Decimal: NSDecimalNumber(decimal: value).doubleValue
    default: nil
    }
  }

  private static func decimal(_ value: Any) -> Decimal? {
    switch value {
    case let value as Decimal: value
    case let value as NSDecimalNumber: value.decimalValue
    case let value as Int: Decimal(value)
    case let value as any FixedWidthInteger: Decimal(Int64(clamping: value))
    case let value as NSNumber: value.exactDecimal
    case let value as any BinaryFloatingPoint: NSNumber(value: Double(value)).exactDecimal
    default: nil
    }
  }
}
