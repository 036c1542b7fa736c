import Foundation

/// A decimal number as Apple's archives hold it.
///
/// Foundation's archiver asks objects for their hash, and that of NSDecimalNumber recurses without end.
final class ArchivedDecimal: NSObject, NSSecureCoding {
  let value: Decimal

  init(_ value: Decimal) { self.value = value }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? {
    ArchivedClasses.named("NSDecimalNumberPlaceholder") ?? ArchivedDecimal.self
  }

  func encode(with coder: NSCoder) {
    // Decimal digits to base 65536, least significant first: exact, where dividing Decimals would round.
    var digits = [UInt16](repeating: 0, count: 8)
    for character in value.isNaN ? "" : value.significand.description {
      var carry = UInt32(character.wholeNumberValue ?? 0)
      for index in digits.indices {
        let product = UInt32(digits[index]) * 10 + carry
        digits[index] = UInt16(truncatingIfNeeded: product)
        carry = product >> 16
      }
    }
    let bytes = digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    coder.encodeBytes(bytes, length: bytes.count, forKey: "NS.mantissa")
    coder.encode(1, forKey: "NS.mantissa.bo")
    coder.encode((digits.lastIndex { $0 != 0 } ?? -1) + 1, forKey: "NS.length")
    coder.encode(value.exponent, forKey: "NS.exponent")
    coder.encode(value.isNaN || value.isSignMinus, forKey: "NS.negative")
    coder.encode(true, forKey: "NS.compact")
  }

  init?(coder: NSCoder) {
    let length = coder.decodeInteger(forKey: "NS.length")
    let exponent = coder.decodeInteger(forKey: "NS.exponent")
    let isNegative = coder.decodeBool(forKey: "NS.negative")
    let isBigEndian = coder.decodeInteger(forKey: "NS.mantissa.bo") == 2
    let bytes = coder.withDecodedUnsafeBytes(forKey: "NS.mantissa") { $0.map { [UInt8]($0) } } ?? []
    guard (0...8).contains(length), bytes.count >= 2 * length, (-128...127).contains(exponent) else { return nil }
    if length == 0, isNegative {
      value = .nan
    } else {
      var significand = Decimal(0)
      for index in (0..<length).reversed() {
        let (low, high) = isBigEndian ? (2 * index + 1, 2 * index) : (2 * index, 2 * index + 1)
        significand = significand * 65536 + Decimal(Int(bytes[low]) | Int(bytes[high]) << 8)
      }
      value = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }
  }

  /// Lets an unarchiver make these of the decimal numbers that it meets meanwhile.
  static func withReader<T>(_ unarchiver: NSKeyedUnarchiver, _ decode: () throws -> T) rethrows -> T {
    let names = ["NSDecimalNumberPlaceholder", "NSDecimalNumber"]
    let before = names.map { unarchiver.class(forClassName: $0) }
    for name in names { unarchiver.setClass(ArchivedDecimal.self, forClassName: name) }
    defer { for index in names.indices { unarchiver.setClass(before[index], forClassName: names[index]) } }
    return try decode()
  }
}
