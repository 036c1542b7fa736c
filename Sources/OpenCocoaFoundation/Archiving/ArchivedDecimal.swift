import Foundation

/// A decimal number as Apple's archives hold it.
///
/// Foundation's archiver asks objects for their hash, and the hash of NSDecimalNumber recurses without end.
final class ArchivedDecimal: NSObject, NSSecureCoding {
  let value: Decimal

  init(_ value: Decimal) { self.value = value }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? {
    ArchivedClasses.named("NSDecimalNumberPlaceholder") ?? ArchivedDecimal.self
  }

  func encode(with coder: NSCoder) {
    let fields = DecimalFields(value)
    coder.encodeBytes(fields.mantissa, length: fields.mantissa.count, forKey: "NS.mantissa")
    coder.encode(1, forKey: "NS.mantissa.bo")
    coder.encode(fields.length, forKey: "NS.length")
    coder.encode(fields.exponent, forKey: "NS.exponent")
    coder.encode(fields.isNegative, forKey: "NS.negative")
    coder.encode(true, forKey: "NS.compact")
  }

  init?(coder: NSCoder) {
    let fields = DecimalFields(
      mantissa: coder.withDecodedUnsafeBytes(forKey: "NS.mantissa") { $0.map { [UInt8]($0) } } ?? [],
      isBigEndian: coder.decodeInteger(forKey: "NS.mantissa.bo") == 2, length: coder.decodeInteger(forKey: "NS.length"),
      exponent: coder.decodeInteger(forKey: "NS.exponent"), isNegative: coder.decodeBool(forKey: "NS.negative"))
    guard let value = fields.value else { return nil }
    self.value = value
  }

  /// Lets an unarchiver decode decimal numbers as instances of this class while `decode` runs.
  static func withReader<T>(_ unarchiver: NSKeyedUnarchiver, _ decode: () throws -> T) rethrows -> T {
    let names = ["NSDecimalNumberPlaceholder", "NSDecimalNumber"]
    let before = names.map { unarchiver.class(forClassName: $0) }
    for name in names { unarchiver.setClass(ArchivedDecimal.self, forClassName: name) }
    defer { for index in names.indices { unarchiver.setClass(before[index], forClassName: names[index]) } }
    return try decode()
  }
}
