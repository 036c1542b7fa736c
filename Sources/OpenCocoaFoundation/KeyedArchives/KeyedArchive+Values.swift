import Foundation

/// Reads the Foundation values that a model holds (default values, user info) from a keyed archive.
extension KeyedArchive {
  /// Returns the value that a field holds or refers to; nil for null and for objects of other classes.
  package func value(_ field: PropertyListValue?) -> Any? {
    switch resolve(field) {
    case .bool(let flag): return NSNumber(value: flag)
    case .integer(let number): return NSNumber(value: number)
    case .unsigned(let number): return NSNumber(value: number)
    case .real(let number): return NSNumber(value: number)
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .string(let text): return text
    case .dictionary: return object(field?.uidValue).flatMap(value(of:))
    case .uid, .array, nil: return nil
    }
  }

  private func value(of object: ArchivedObject) -> Any? {
    if let text = object.string("NS.string") { return text }
    if object.isKind(of: "NSDecimalNumber") { return decimal(object) }
    if object.isKind(of: "NSData") { return resolve(object.fields["NS.data"])?.dataValue }
    switch object.className {
    case "NSDate":
      guard case .real(let seconds)? = resolve(object.fields["NS.time"]) else { return nil }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case "NSUUID":
      guard let bytes = resolve(object.fields["NS.uuidbytes"])?.dataValue, bytes.count == 16 else { return nil }
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case "NSURL": return object.string("NS.relative").flatMap(URL.init(string:))
    default: return nil
    }
  }

  private func decimal(_ object: ArchivedObject) -> NSDecimalNumber? {
    guard let mantissa = resolve(object.fields["NS.mantissa"])?.dataValue else { return nil }
    let fields = DecimalFields(
      mantissa: [UInt8](mantissa), isBigEndian: object.integer("NS.mantissa.bo") == 2,
      length: object.integer("NS.length"), exponent: object.integer("NS.exponent"),
      isNegative: object.bool("NS.negative"))
    return fields.value.map(NSDecimalNumber.init(decimal:))
  }
}
