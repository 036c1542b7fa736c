import Foundation

/// The patterns of LIKE: `*` stands for any number of characters, `?` for one Unicode scalar. A character after a backslash stands
/// for itself.
package enum WildcardPattern {
  /// Whether a string matches a pattern as a whole.
  package static func matches(_ string: String, pattern: String) -> Bool {
    var string = string
    var pattern = pattern
    return string.withUTF8 { string in pattern.withUTF8 { matches(string, pattern: $0) } }
  }

  /// Whether the UTF-8 bytes of a string match those of a pattern.
  ///
  /// Only the last `*` is ever tried again. So the time is at most proportional to the product of the lengths, and there is no
  /// recursion.
  package static func matches(_ string: UnsafeBufferPointer<UInt8>, pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    var s = 0
    var p = 0
    var afterStar: Int?
    var retry = 0
    while s < string.count {
      if p < pattern.count {
        switch pattern[p] {
        case UInt8(ascii: "*"):
          p += 1
          guard let next = start(of: pattern, p, in: string, from: s) else { return false }
          afterStar = p
          retry = next
          s = next
          continue
        case UInt8(ascii: "?"):
          p += 1
          s = endOfScalar(in: string, from: s)
          continue
        default:
          let isEscape = pattern[p] == UInt8(ascii: "\\") && p + 1 < pattern.count
          if string[s] == pattern[isEscape ? p + 1 : p] {
            p += isEscape ? 2 : 1
            s += 1
            continue
          }
        }
      }
      guard let star = afterStar,
        let next = start(of: pattern, star, in: string, from: endOfScalar(in: string, from: retry))
      else { return false }
      retry = next
      s = next
      p = star
    }
    while p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
    return p == pattern.count
  }

  /// Returns the next position in the string, from `s` on, where the rest of the pattern after a `*` may match; nil if its first
  /// byte does not occur.
  private static func start(
    of pattern: UnsafeBufferPointer<UInt8>, _ p: Int, in string: UnsafeBufferPointer<UInt8>, from s: Int
  ) -> Int? {
    guard p < pattern.count else { return string.count }
    let byte = pattern[p]
    if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\") { return s }
    guard let base = string.baseAddress, let found = memchr(base + s, Int32(byte), string.count - s) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private static func endOfScalar(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
