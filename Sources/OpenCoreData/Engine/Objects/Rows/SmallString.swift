/// Makes short ASCII strings without going through the decoder.
///
/// Swift keeps a string of up to 15 ASCII bytes in its own two words, the count in the last byte. That layout is part of
/// the ABI on Apple's platforms and the same here, but is not promised for this platform. So it is checked once against
/// strings that the standard library made; if the layout is another one, it is not used.
package enum SmallString {
  private static let isKnown: Bool = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno"].allSatisfy {
    text in
    let padded = Array(repeating: UInt8(ascii: "x"), count: 8) + Array(text.utf8)
    return padded.withUnsafeBytes { bytes in
      let words = words(UnsafeRawBufferPointer(rebasing: bytes[8...]))
      let expected = String(decoding: text.utf8, as: UTF8.self)
      return MemoryLayout<String>.size == 16
        && words.map { $0 == unsafeBitCast(expected, to: (UInt64, UInt64).self) } ?? false
    }
  }

  /// The string of those bytes; nil if they are too many or not all ASCII. Eight bytes before them must be readable.
  @inline(__always)
  package static func make(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard let words = words(bytes), isKnown else { return nil }
    return unsafeBitCast(words, to: String.self)
  }

  @inline(__always)
  private static func words(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
    let count = bytes.count
    guard count <= 15, let start = bytes.baseAddress else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    // Loads a word at a time. The last word is loaded so that it ends with the text, and the bytes before the text are
    // shifted out.
    if count > 8 {
      low = start.loadUnaligned(as: UInt64.self)
      high = start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) >> UInt64((16 - count) * 8)
    } else if count > 0 {
      low = start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) >> UInt64((8 - count) * 8)
    }
    guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    return (low, high | UInt64(0xE0 | count) << 56)
  }
}
