import Foundation

/// Comparison and search of strings by their UTF-8 bytes, which order as their Unicode scalars do.
///
/// SQLite compares text so; Swift's own `==` takes composed and decomposed letters for the same.
package enum StringBytes {
  /// Whether two strings have the same scalars.
  package static func equal(_ left: String, _ right: String) -> Bool {
    withBytes(left, right) { $0.count == $1.count && compare($0, $1) == 0 }
  }

  /// The order of two strings.
  package static func order(_ left: String, _ right: String) -> ComparisonResult {
    withBytes(left, right) { left, right in
      let result = compare(left, right)
      let difference = result != 0 ? Int(result) : left.count - right.count
      return difference < 0 ? .orderedAscending : difference > 0 ? .orderedDescending : .orderedSame
    }
  }

  /// Whether a string begins with another; nothing begins with the empty string.
  package static func hasPrefix(_ string: String, _ prefix: String) -> Bool {
    withBytes(string, prefix) { string, prefix in
      !prefix.isEmpty && string.count >= prefix.count && compare(string, prefix) == 0
    }
  }

  /// Whether a string ends with another; nothing ends with the empty string.
  package static func hasSuffix(_ string: String, _ suffix: String) -> Bool {
    withBytes(string, suffix) { string, suffix in
      guard !suffix.isEmpty, string.count >= suffix.count else { return false }
      return compare(UnsafeBufferPointer(rebasing: string[(string.count - suffix.count)...]), suffix) == 0
    }
  }

  /// Whether a string contains another; nothing contains the empty string.
  package static func contains(_ string: String, _ substring: String) -> Bool {
    withBytes(string, substring) { string, substring in
      guard let first = substring.first, string.count >= substring.count else { return false }
      for start in 0...(string.count - substring.count) where string[start] == first {
        if compare(UnsafeBufferPointer(rebasing: string[start...]), substring) == 0 { return true }
      }
      return false
    }
  }

  /// Compares as many bytes as both have.
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
