import Foundation

/// The search for bytes in bytes.
package enum ByteSearch {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Whether a text that is long enough has these bytes at a place.
  package static func has(_ bytes: [UInt8], _ text: Bytes, at place: Int) -> Bool {
    bytes.withUnsafeBufferPointer { has($0, text, at: place) }
  }

  /// Whether a text that is long enough has these bytes at a place.
  package static func has(_ bytes: Bytes, _ text: Bytes, at place: Int) -> Bool {
    guard let base = text.baseAddress, let other = bytes.baseAddress else { return true }
    return memcmp(base + place, other, bytes.count) == 0
  }

  /// Returns the first place of bytes that are not empty in a range of a text; nil if they are not there.
  package static func place(of bytes: [UInt8], in text: Bytes, _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBufferPointer { place(of: $0, in: text, range) }
  }

  /// Returns the first place of bytes that are not empty in a range of a text; nil if they are not there.
  package static func place(of bytes: Bytes, in text: Bytes, _ range: Range<Int>) -> Int? {
    guard let first = bytes.first, let base = text.baseAddress else { return nil }
    var place = range.lowerBound
    while place + bytes.count <= range.upperBound {
      let count = range.upperBound - bytes.count - place + 1
      guard let found = memchr(base + place, Int32(first), count) else { return nil }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if has(bytes, text, at: place) { return place }
      place += 1
    }
    return nil
  }
}
