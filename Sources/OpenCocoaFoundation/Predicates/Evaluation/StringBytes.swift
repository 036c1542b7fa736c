import Foundation

/// Comparison and search of strings by their UTF-8 bytes, whose order is that of the Unicode scalars.
///
/// SQLite compares text in this way. Swift's own `==` treats composed and decomposed letters as equal.
package enum StringBytes {
  /// Whether two strings have the same scalars.
  package static func equal(_ left: String, _ right: String) -> Bool {
    withBytes(left, right) { $0.count == $1.count && compare($0, $1) == 0 }
  }

  /// Hashes a string so that strings with the same scalars have the same hash.
  package static func hash(_ string: String, into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the order of two strings.
  package static func order(_ left: String, _ right: String) -> ComparisonResult {
    withBytes(left, right) { order($0, $1) }
  }

  /// Returns the order of two texts in UTF-8.
  package static func order(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    let result = compare(left, right)
    let difference = result != 0 ? Int(result) : left.count - right.count
    return difference < 0 ? .orderedAscending : difference > 0 ? .orderedDescending : .orderedSame
  }

  /// Whether a string begins with another; no string begins with the empty string.
  package static func hasPrefix(_ string: String, _ prefix: String) -> Bool {
    withBytes(string, prefix) { string, prefix in
      !prefix.isEmpty && string.count >= prefix.count && compare(string, prefix) == 0
    }
  }

  /// Whether a string ends with another; no string ends with the empty string.
  package static func hasSuffix(_ string: String, _ suffix: String) -> Bool {
    withBytes(string, suffix) { string, suffix in
      guard !suffix.isEmpty, string.count >= suffix.count else { return false }
      return compare(UnsafeBufferPointer(rebasing: string[(string.count - suffix.count)...]), suffix) == 0
    }
  }

  /// Whether a string contains another; no string contains the empty string.
  package static func contains(_ string: String, _ substring: String) -> Bool {
    withBytes(string, substring) { ByteSearch.place(of: $1, in: $0, 0..<$0.count) != nil }
  }

  /// Compares the first bytes of two strings, as many as the shorter one has.
  private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
    return memcmp(leftBase, rightBase, min(left.count, right.count))
  }

  private static func withBytes<T>(
    _ left: String, _ right: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> T
  ) -> T {
    var left = left
    var right = right
    return left.withUTF8 { left in right.withUTF8 { right in body(left, right) } }
  }
}
