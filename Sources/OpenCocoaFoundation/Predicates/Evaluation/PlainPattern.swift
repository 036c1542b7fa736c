import Foundation

/// A pattern of MATCHES that is plain text with `.*` in any places, such as `.*Street.*`. It needs no regular expression engine.
struct PlainPattern: Sendable {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The text before the first `.*`, between all of them, and after the last one; in lower case if case makes no difference.
  private let pieces: [[UInt8]]
  private let ignoresCase: Bool

  /// - Returns: nil for other patterns. With `ignoresCase` also for those that are not ASCII, as an engine compares "ß" with "SS".
  init?(_ pattern: String, ignoresCase: Bool) {
    var pieces: [[UInt8]] = [[]]
    var scalars = pattern.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      var literal = scalar
      switch scalar {
      case ".":
        guard scalars.popFirst() == "*" else { return nil }
        pieces.append([])
        continue
      case "\\":
        guard let escaped = scalars.popFirst(), Self.escapable.contains(escaped) else { return nil }
        literal = escaped
      // Bytes that are not UTF-8 are this scalar for an engine. A line break is matched by itself, but not by a dot.
      case "\u{FFFD}": return nil
      case _ where Self.special.contains(scalar) || Self.isLineBreak(scalar): return nil
      case _ where ignoresCase && !scalar.isASCII: return nil
      default: break
      }
      let bytes = UTF8.encode(literal).map(Array.init) ?? []
      pieces[pieces.count - 1] += ignoresCase ? bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } : bytes
    }
    self.pieces = pieces
    self.ignoresCase = ignoresCase
  }

  private static let special = Set("\\^$.|?*+()[]{}".unicodeScalars)
  private static let escapable = special.union("/-".unicodeScalars)

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    (0xA...0xD).contains(scalar.value) || [0x85, 0x2028, 0x2029].contains(scalar.value)
  }

  /// Whether the pattern matches a text as a whole; nil if a regular expression engine must tell: for a text with line breaks, which
  /// a dot does not match, and for a text that is not ASCII if case makes no difference.
  func matches(_ text: Bytes) -> Bool? {
    guard ignoresCase else { return fits(text) ? answer(text) : false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { buffer in
      var all: UInt8 = 0
      for (index, byte) in text.enumerated() {
        all |= byte
        buffer[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      }
      guard all < 0x80 else { return nil }
      let text = Bytes(rebasing: buffer[..<text.count])
      return fits(text) ? answer(text) : false
    }
  }

  /// The answer for a text that has all pieces in their places.
  private func answer(_ text: Bytes) -> Bool? {
    pieces.count == 1 || !Self.mayHaveLineBreak(text) ? true : nil
  }

  /// Whether the text has all pieces in their places, with anything at all between them.
  private func fits(_ text: Bytes) -> Bool {
    guard let first = pieces.first, let last = pieces.last else { return false }
    if pieces.count == 1 { return text.count == first.count && ByteSearch.has(first, text, at: 0) }
    guard text.count >= first.count + last.count, ByteSearch.has(first, text, at: 0),
      ByteSearch.has(last, text, at: text.count - last.count)
    else { return false }
    var start = first.count
    let end = text.count - last.count
    for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
      guard let place = ByteSearch.place(of: piece, in: text, start..<end) else { return false }
      start = place + piece.count
    }
    return true
  }

  /// Whether a text has a line break, or a byte with which one of those begins that are not ASCII.
  private static func mayHaveLineBreak(_ text: Bytes) -> Bool {
    for (index, byte) in text.enumerated() {
      if byte &- 0xA < 4 { return true }
      guard byte >= 0xC2, index + 1 < text.count else { continue }
      if byte == 0xC2, text[index + 1] == 0x85 { return true }
      if byte == 0xE2, text[index + 1] == 0x80 { return true }
    }
    return false
  }
}
