import Foundation

extension ScalarFolding {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The size of the buffer for a folded text. A scalar of two bytes or more may become seven; eight are written at a time.
  static func capacity(for text: Bytes) -> Int { text.count * 7 / 2 + 16 }

  /// Writes the folded form of a text to a buffer.
  ///
  /// - Returns: the number of bytes; nil if the general function must fold the text.
  func fold(_ text: Bytes, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let base = text.baseAddress, let output = buffer.baseAddress else { return 0 }
    let folds = options.contains(.caseInsensitive)
    // The place of the last independent scalar, in the text and in the buffer.
    var last = (read: 0, written: 0)
    var read = 0, written = 0
    var misses = 0
    while read < text.count {
      if read + 8 <= text.count {
        let word = UnsafeRawPointer(base + read).loadUnaligned(as: UInt64.self)
        if word & 0x8080_8080_8080_8080 == 0 {
          UnsafeMutableRawPointer(output + written).storeBytes(
            of: folds ? ASCIIFolding.lowercase(word) : word, as: UInt64.self)
          read += 8
          written += 8
          last = (read - 1, written - 1)
          continue
        }
      }
      let (entry, count) = next(base, read, text.count)
      if entry != Self.dependent {
        last = (read, written)
        Self.write(entry, to: output + written)
        read += count
        written += Self.count(entry)
        continue
      }
      guard count > 0, let end = endOfPiece(base, read + count, text.count),
        let size = foldPiece(
          Bytes(rebasing: text[last.read..<end]),
          into: UnsafeMutableBufferPointer(rebasing: buffer[last.written...]), &misses)
      else { return nil }
      read = end
      written = last.written + size
      guard written + (text.count - read) * 7 / 2 + 16 <= buffer.count else { return nil }
    }
    return written
  }

  /// Returns the entry of the scalar at a place, and the number of its bytes, which is 0 if they are not UTF-8.
  @inline(__always) func next(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> (Entry, Int) {
    let byte = base[place]
    if byte < 0x80 { return (entry(ofASCII: byte), 1) }
    let (scalar, count) = UTF8Scalar.decode(base + place, end - place)
    return count == 0 ? (Self.dependent, 0) : (entry(scalar), count)
  }

  /// Returns the place of the first independent scalar from `place` on; nil if the bytes are not UTF-8.
  private func endOfPiece(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Int? {
    var place = place
    while place < end {
      let (entry, count) = next(base, place, end)
      if entry != Self.dependent { return place }
      if count == 0 { return nil }
      place += count
    }
    return end
  }

  /// Folds a piece that has scalars that are not independent.
  ///
  /// - Parameter misses: how often the general function was called for the text. After a few calls, one call for the whole text
  ///   takes less time.
  private func foldPiece(
    _ piece: Bytes, into buffer: UnsafeMutableBufferPointer<UInt8>, _ misses: inout Int
  ) -> Int? {
    let key = Self.entry(of: piece)
    if let key, let known = clusters.folded(key), let output = buffer.baseAddress {
      Self.write(known, to: output)
      return Self.count(known)
    }
    misses += 1
    if misses > 2 { return nil }
    let folded = StringFolding.foldGenerally(String(decoding: piece, as: UTF8.self), options).utf8
    if let key, let entry = Self.entry(of: folded) { clusters.keep(entry, of: key) }
    guard folded.count <= buffer.count else { return nil }
    return buffer.update(fromContentsOf: folded)
  }

  /// Writes eight bytes, of which the first are those of the entry.
  @inline(__always) static func write(_ entry: Entry, to output: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(output).storeBytes(of: entry.littleEndian, as: UInt64.self)
  }
}

/// Scalars in bytes of UTF-8.
enum UTF8Scalar {
  /// Returns the scalar at the beginning of bytes of which the first is not ASCII, and the number of its bytes, which is 0 if they
  /// are not UTF-8.
  @inline(__always) static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (UInt32, Int) {
    let first = UInt32(bytes[0])
    guard first >= 0xC2, count >= 2, bytes[1] & 0xC0 == 0x80 else { return (0, 0) }
    let second = UInt32(bytes[1] & 0x3F)
    if first < 0xE0 { return ((first & 0x1F) << 6 | second, 2) }
    guard count >= 3, bytes[2] & 0xC0 == 0x80 else { return (0, 0) }
    let third = UInt32(bytes[2] & 0x3F)
    if first < 0xF0 {
      let scalar = (first & 0xF) << 12 | second << 6 | third
      return scalar < 0x800 || (0xD800...0xDFFF).contains(scalar) ? (0, 0) : (scalar, 3)
    }
    guard first < 0xF5, count >= 4, bytes[3] & 0xC0 == 0x80 else { return (0, 0) }
    let scalar = (first & 7) << 18 | second << 12 | third << 6 | UInt32(bytes[3] & 0x3F)
    return (0x10000...0x10FFFF).contains(scalar) ? (scalar, 4) : (0, 0)
  }
}
