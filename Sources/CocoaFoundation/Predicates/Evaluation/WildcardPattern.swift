/// The patterns of LIKE: `*` stands for any run of characters, `?` for one Unicode scalar, a backslash takes the next
/// character as it is.
package enum WildcardPattern {
  /// Whether a string matches a pattern as a whole.
  package static func matches(_ string: String, pattern: String) -> Bool {
    var string = string
    var pattern = pattern
    return string.withUTF8 { string in pattern.withUTF8 { matches(string, pattern: $0) } }
  }

  /// Whether the UTF-8 bytes of a string match those of a pattern.
  ///
  /// Only the last `*` is ever tried again, so the time is at most the product of the lengths, and no stack is used.
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
          afterStar = p
          retry = s
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
      guard let star = afterStar else { return false }
      retry = endOfScalar(in: string, from: retry)
      s = retry
      p = star
    }
    while p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
    return p == pattern.count
  }

  private static func endOfScalar(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
