import Foundation

/// Bytes as a hexadecimal dump: sixteen per line, with their offset and their characters.
enum HexadecimalText {
  /// The maximal number of bytes shown.
  static let limit = 4_096

  static func lines(of data: Data) -> String {
    let bytes = Array(data.prefix(limit))
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let line = bytes[start..<min(start + 16, bytes.count)]
      let digits = line.map { String(format: "%02x", $0) }.joined(separator: " ")
      let letters = String(line.map { (0x20..<0x7F).contains($0) ? Character(UnicodeScalar($0)) : "." })
      return String(format: "%06x  ", start) + digits.padding(toLength: 47, withPad: " ", startingAt: 0) + "  "
        + letters
    }
    .joined(separator: "\n")
  }
}
