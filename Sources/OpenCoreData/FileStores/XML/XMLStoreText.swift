import Foundation

/// The text of XML stores.
///
/// XML cannot contain some characters of strings, such as U+0000. Apple's framework writes characters as a backslash, a `u`
/// and the four hexadecimal digits of the character with its two bytes swapped (`\u3c00` for `<`). This framework writes
/// characters by the means of XML where that is possible. It uses Apple's form for other characters, and for a backslash
/// before a `u`. So every string is read as it was written, and Apple's files are read by the same rule.
enum XMLStoreText {
  /// Appends a string as character data, or as the value of an attribute, around which the caller puts quotes.
  static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices {
        let byte = bytes[index]
        guard byte < 32 || isSpecial[Int(byte)], let escape = escape(bytes, index) else { continue }
        output.append(contentsOf: bytes[start..<index])
        output.append(contentsOf: escape.utf8)
        start = index + (byte == 0xEF ? 3 : 1)
      }
      output.append(contentsOf: bytes[start...])
    }
  }

  private static let isSpecial: [Bool] = (0...255).map { [34, 38, 60, 62, 92, 0xEF].contains($0) }

  private static func escape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> String? {
    switch bytes[index] {
    case 34: "&quot;"
    case 38: "&amp;"
    case 60: "&lt;"
    case 62: "&gt;"
    case 9, 10: nil
    // A plain carriage return would be read as the end of a line.
    case 13: "&#13;"
    case 92: index + 1 < bytes.count && bytes[index + 1] == 117 ? "\\u5c00" : nil
    case 0xEF:
      // The bytes of U+FFFE and U+FFFF.
      bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE ? (bytes[index + 2] == 0xBE ? "\\ufeff" : "\\uffff") : nil
    case let control: "\\u" + hex(control) + "00"
    }
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  /// Returns the string that the text of a file stands for.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(92) else { return text }
    let units = Array(text.utf16)
    var result: [UInt16] = []
    var index = 0
    while index < units.count {
      if let number = escaped(units, index) {
        let unit = number.byteSwapped
        if UTF16.isLeadSurrogate(unit), let next = escaped(units, index + 6)?.byteSwapped,
          UTF16.isTrailSurrogate(next)
        {
          result += [unit, next]
          index += 12
          continue
        }
        // If the first byte is 0, the bytes are in their usual order. Swapped, they would be a character such as U+4100,
        // which needs no escape.
        let character = number & 0xFF00 == 0 ? number : unit
        // A single surrogate is no character, so the text stays as it is.
        if !UTF16.isLeadSurrogate(character), !UTF16.isTrailSurrogate(character) {
          result.append(character)
          index += 6
          continue
        }
      }
      result.append(units[index])
      index += 1
    }
    return String(decoding: result, as: UTF16.self)
  }

  private static func escaped(_ units: [UInt16], _ index: Int) -> UInt16? {
    guard index + 6 <= units.count, units[index] == 92, units[index + 1] == 117 else { return nil }
    let digits = units[(index + 2)..<(index + 6)]
    guard digits.allSatisfy({ (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    return UInt16(String(decoding: digits, as: UTF16.self), radix: 16)
  }
}
