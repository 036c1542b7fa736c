import Foundation

/// Many values in one variable: a JSON array, whose elements a function turns into the values where JSON has none such.
struct SQLList: Sendable {
  let json: SQLValue
  let function: String?

  /// The lists for values of all types; SQLite compares each with the type that it has.
  static func lists(of values: [SQLValue]) -> [SQLList] {
    var integers: [Int64] = []
    var reals: [Int64] = []
    var texts: [String] = []
    var bytes: [String] = []
    var textBytes: [String] = []
    for value in values {
      switch value {
      case .null: break
      case .integer(let value): integers.append(value)
      case .real(let value): reals.append(Int64(bitPattern: value.bitPattern))
      case .blob(let data): bytes.append(hex(data))
      case .text(let text):
        // SQLite's JSON ends a string at a NUL.
        if text.utf8.contains(0) { textBytes.append(hex(text.utf8)) } else { texts.append(text) }
      }
    }
    var lists: [SQLList] = []
    if !integers.isEmpty { lists.append(SQLList(json: SQLValue(keys: integers), function: nil)) }
    if !reals.isEmpty { lists.append(SQLList(json: SQLValue(keys: reals), function: SQLFunction.realOfBits)) }
    if !texts.isEmpty { lists.append(SQLList(json: json(texts), function: nil)) }
    if !bytes.isEmpty { lists.append(SQLList(json: json(bytes), function: SQLFunction.bytesOfHex)) }
    if !textBytes.isEmpty { lists.append(SQLList(json: json(textBytes), function: SQLFunction.textOfHex)) }
    return lists
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hex(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that hexadecimal digits write.
  static func bytes(ofHex digits: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      bytes.append(value(digits[index]) << 4 | value(digits[index + 1]))
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8 { digit < 0x3A ? digit &- 0x30 : digit &- 0x57 }

  private static func json(_ strings: [String]) -> SQLValue {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for string in strings {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text.append(UInt8(ascii: "\""))
      for byte in string.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          text.append(UInt8(ascii: "\\"))
          text.append(byte)
        case 0..<0x20: text.append(contentsOf: Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        default: text.append(byte)
        }
      }
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: "]"))
    return .text(String(decoding: text, as: UTF8.self))
  }
}
