import Foundation

/// The folded forms of texts that are ASCII, and their order. Of the options, only case makes a difference to them.
enum ASCIIFolding {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Writes the folded form of a text to a buffer of at least the same size.
  ///
  /// - Returns: false if the text is not ASCII; what was written then has no meaning.
  static func fold(_ text: Bytes, into buffer: UnsafeMutableBufferPointer<UInt8>, lowercases: Bool) -> Bool {
    guard let base = text.baseAddress, let output = buffer.baseAddress else { return text.isEmpty }
    if text.count < 8 {
      for place in 0..<text.count {
        guard base[place] < 0x80 else { return false }
        output[place] = lowercases ? lowercase(base[place]) : base[place]
      }
      return true
    }
    var place = 0
    while true {
      let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { return false }
      UnsafeMutableRawPointer(output + place).storeBytes(of: lowercases ? lowercase(word) : word, as: UInt64.self)
      if place + 8 == text.count { return true }
      // The last word may begin within the one before; its bytes are written twice.
      place = min(place + 8, text.count - 8)
    }
  }

  /// Returns the order of the folded forms of two texts, as far as bytes of ASCII decide it; nil if others take part.
  ///
  /// Equal bytes are passed over, whatever they are: a text that ends before a byte of ASCII is folded in the same way whatever
  /// follows. A byte that is followed by one of ASCII, or by the end, combines with nothing.
  static func order(_ left: Bytes, _ right: Bytes, lowercases: Bool) -> ComparisonResult? {
    guard let first = left.baseAddress, let second = right.baseAddress else { return nil }
    let common = min(left.count, right.count)
    var place = 0
    while place < common {
      let (a, b) = (first[place], second[place])
      place += 1
      if a == b { continue }
      guard (a | b) < 0x80, isASCII(first, place, left.count), isASCII(second, place, right.count) else { return nil }
      let (x, y) = lowercases ? (lowercase(a), lowercase(b)) : (a, b)
      if x != y { return x < y ? .orderedAscending : .orderedDescending }
    }
    if left.count == right.count { return .orderedSame }
    guard isASCII(first, place, left.count), isASCII(second, place, right.count) else { return nil }
    return left.count < right.count ? .orderedAscending : .orderedDescending
  }

  /// Whether a text ends at a place, or goes on with a byte of ASCII.
  @inline(__always) private static func isASCII(_ text: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Bool {
    place == end || text[place] < 0x80
  }

  @inline(__always) static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Makes lowercase letters of the uppercase letters in eight bytes of ASCII.
  @inline(__always) static func lowercase(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let fromA = word &+ ones &* (0x80 - 0x41)
    let afterZ = word &+ ones &* (0x7F - 0x5A)
    return word | ((fromA ^ afterZ) & (ones &* 0x80)) >> 2
  }
}
