import Foundation

/// The order of the folded forms of texts, which are folded only as far as they are needed.
package enum FoldedOrder {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Returns the order of the folded forms of two strings.
  package static func order(_ left: String, _ right: String, _ options: StringFolding.Options) -> ComparisonResult {
    var left = left, right = right
    return left.withUTF8 { left in right.withUTF8 { right in order(left, right, options) } }
  }

  /// Returns the order of the folded forms of two texts in UTF-8.
  package static func order(_ left: Bytes, _ right: Bytes, _ options: StringFolding.Options) -> ComparisonResult {
    guard !options.isEmpty else { return StringBytes.order(left, right) }
    if let order = ASCIIFolding.order(left, right, lowercases: options.contains(.caseInsensitive)) { return order }
    // An empty text may have no address.
    if let first = left.baseAddress, let second = right.baseAddress,
      let order = ScalarFolding.of(options).order(first, left.count, second, right.count)
    {
      return order
    }
    return StringFolding.withFolded(left, options) { left in
      StringFolding.withFolded(right, options) { right in StringBytes.order(left, right) }
    }
  }
}

extension ScalarFolding {
  /// Returns the order of two texts; nil if that needs their whole folded forms.
  ///
  /// The texts are equal up to `i` and `j`. Equal bytes are passed over, whatever they are: a text that ends before an independent
  /// scalar is folded in the same way whatever follows. So at a difference, both texts must go on with independent scalars.
  fileprivate func order(
    _ left: UnsafePointer<UInt8>, _ leftCount: Int, _ right: UnsafePointer<UInt8>, _ rightCount: Int
  ) -> ComparisonResult? {
    var i = 0, j = 0
    while true {
      passEqualBytes(left, &i, leftCount, right, &j, rightCount)
      if i == leftCount, j == rightCount { return .orderedSame }
      // The places of the scalars in which the texts differ.
      var back = 0
      while back < 3, back < min(i, j), isContinuation(left, i, leftCount) || isContinuation(right, j, rightCount) {
        i -= 1
        j -= 1
        back += 1
      }
      if i == leftCount { return isIndependent(right, j, rightCount) ? .orderedAscending : nil }
      if j == rightCount { return isIndependent(left, i, leftCount) ? .orderedDescending : nil }
      let (a, countA) = next(left, i, leftCount)
      let (b, countB) = next(right, j, rightCount)
      guard a != Self.dependent, b != Self.dependent else { return nil }
      i += countA
      j += countB
      guard isIndependent(left, i, leftCount), isIndependent(right, j, rightCount) else { return nil }
      if a == b { continue }
      return Self.order(a, b)
    }
  }

  /// The order of two folded scalars; nil if one begins with the other.
  @inline(__always) private static func order(_ a: Entry, _ b: Entry) -> ComparisonResult? {
    let common = 8 * min(count(a), count(b))
    let difference = (a ^ b).trailingZeroBitCount & ~7
    guard difference < common else { return nil }
    return a >> difference & 0xFF < b >> difference & 0xFF ? .orderedAscending : .orderedDescending
  }

  @inline(__always) private func passEqualBytes(
    _ left: UnsafePointer<UInt8>, _ i: inout Int, _ leftCount: Int, _ right: UnsafePointer<UInt8>, _ j: inout Int,
    _ rightCount: Int
  ) {
    while i + 8 <= leftCount, j + 8 <= rightCount {
      let difference =
        UnsafeRawPointer(left + i).loadUnaligned(as: UInt64.self).littleEndian
        ^ UnsafeRawPointer(right + j).loadUnaligned(as: UInt64.self).littleEndian
      let count = difference.trailingZeroBitCount >> 3
      i += count
      j += count
      if count < 8 { return }
    }
    while i < leftCount, j < rightCount, left[i] == right[j] {
      i += 1
      j += 1
    }
  }

  @inline(__always) private func isContinuation(_ bytes: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Bool {
    place < end && bytes[place] & 0xC0 == 0x80
  }

  /// Whether the text ends at a place, or goes on with an independent scalar.
  @inline(__always) private func isIndependent(_ bytes: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Bool {
    if place == end || bytes[place] < 0x80 { return true }
    return next(bytes, place, end).0 != Self.dependent
  }
}
