import Foundation

/// The Foundation values that a model holds (default values, user info) as objects of a keyed archive.
extension KeyedArchive {
  /// The value that a field stands for; nil for null and for objects of other classes.
  package func value(_ field: PropertyListValue?) -> Any? {
    switch resolve(field) {
    case .bool(let flag): return NSNumber(value: flag)
    case .integer(let number): return NSNumber(value: number)
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

  /// A decimal number: a mantissa of `NS.length` 16-bit digits in the byte order `NS.mantissa.bo` (1 is little
  /// endian), a power of ten, and a sign.
  private func decimal(_ object: ArchivedObject) -> NSDecimalNumber? {
    guard let mantissa = resolve(object.fields["NS.mantissa"])?.dataValue, mantissa.count == 16,
      (-128...127).contains(object.integer("NS.exponent"))
    else { return nil }
    let bytes = [UInt8](mantissa)
    let isLittle = object.integer("NS.mantissa.bo") != 2
    var value = Decimal(0)
    for digit in (0..<min(max(object.integer("NS.length"), 0), 8)).reversed() {
      let (first, second) = (Int(bytes[digit * 2]), Int(bytes[digit * 2 + 1]))
      value = value * 65536 + Decimal(isLittle ? second << 8 | first : first << 8 | second)
    }
    var scaled = value
    if value != 0 {
      scaled = Decimal(
        sign: object.bool("NS.negative") ? .minus : .plus, exponent: object.integer("NS.exponent"), significand: value)
    }
    return NSDecimalNumber(decimal: scaled)
  }
}
