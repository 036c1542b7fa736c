/// HTML that is put together from markup of this program and from texts of others.
struct HTMLText {
  private var bytes: [UInt8] = []

  /// The HTML appended so far.
  var html: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds markup without escaping it.
  mutating func markup(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds a text, with the five characters that have a meaning in HTML escaped, so that the text may stand between tags and in
  /// an attribute's quotes.
  mutating func escaped(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
  }
}
