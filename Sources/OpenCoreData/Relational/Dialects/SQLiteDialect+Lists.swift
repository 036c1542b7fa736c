import Foundation

extension SQLiteDialect {
  /// A list in one variable: a JSON array. If JSON cannot hold such values, a function turns the elements into the
  /// values.
  package struct JSONList {
    package let json: SQLValue
    private let function: String?

    /// The SQL of an element's value.
    package var element: String { function.map { "\($0)(value)" } ?? "value" }

    package init(_ list: SQLList) {
      switch list {
      case .integers(let values): (json, function) = (SQLValue(keys: values), nil)
      case .reals(let values):
        (json, function) = (SQLValue(keys: values.map { Int64(bitPattern: $0.bitPattern) }), SQLiteDialect.realOfBits)
      case .texts(let texts): (json, function) = (Self.json(texts), nil)
      case .data(let values): (json, function) = (Self.json(values.map { Self.hex($0) }), SQLiteDialect.bytesOfHex)
      // SQLite's JSON ends a string at a NUL.
      case .textsWithNUL(let texts):
        (json, function) = (Self.json(texts.map { Self.hex($0.utf8) }), SQLiteDialect.textOfHex)
      }
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

    /// The bytes that hexadecimal digits represent.
    package static func bytes(ofHex digits: UnsafeBufferPointer<UInt8>) -> [UInt8] {
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
          case 0..<0x20:
            text.append(contentsOf: Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
          default: text.append(byte)
          }
        }
        text.append(UInt8(ascii: "\""))
      }
      text.append(UInt8(ascii: "]"))
      return .text(String(decoding: text, as: UTF8.self))
    }
  }
}
