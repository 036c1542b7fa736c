import Foundation
import OpenCocoaFoundation

/// The tests of strings under options, on the bytes that a database holds.
///
/// ASCII strings are compared byte by byte, folding each byte as it is read; only other strings become Swift strings.
enum SQLStringSearch {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Whether a string passes a test against a pattern.
  ///
  /// - Throws: The error of NSRegularExpression for an invalid pattern of `matches`.
  static func holds(
    _ test: SQLStringTest, _ string: Bytes, _ pattern: Bytes, _ options: SQLStringOptions
  ) throws -> Bool {
    if test == .matches {
      return try RegularExpressions.matches(
        String(decoding: string, as: UTF8.self), pattern: String(decoding: pattern, as: UTF8.self),
        options: options.comparisonOptions)
    }
    guard options.contains(.folded) else {
      var folded = fold(pattern, options)
      return folded.withUTF8 { holds(test, folding: string, $0, options) }
    }
    return holds(test, folding: string, pattern, options)
  }

  private static func holds(
    _ test: SQLStringTest, folding string: Bytes, _ pattern: Bytes, _ options: SQLStringOptions
  ) -> Bool {
    guard string.allSatisfy({ $0 < 0x80 }) else {
      var folded = fold(string, options)
      return folded.withUTF8 { holds(test, $0, pattern) }
    }
    guard options.contains(.caseInsensitive) else { return holds(test, string, pattern) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, string.count)) { buffer in
      for (index, byte) in string.enumerated() {
        buffer.initializeElement(at: index, to: byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      }
      return holds(test, Bytes(rebasing: buffer[..<string.count]), pattern)
    }
  }

  private static func fold(_ bytes: Bytes, _ options: SQLStringOptions) -> String {
    StringFolding.fold(String(decoding: bytes, as: UTF8.self), options.comparisonOptions)
  }

  /// Applies the test to folded bytes. No string contains, begins with or ends with the empty string.
  private static func holds(_ test: SQLStringTest, _ string: Bytes, _ pattern: Bytes) -> Bool {
    switch test {
    case .equals: return string.count == pattern.count && isEqual(string, pattern, at: 0)
    case .beginsWith: return !pattern.isEmpty && string.count >= pattern.count && isEqual(string, pattern, at: 0)
    case .endsWith:
      return !pattern.isEmpty && string.count >= pattern.count
        && isEqual(string, pattern, at: string.count - pattern.count)
    case .contains: return contains(string, pattern)
    case .like: return WildcardPattern.matches(string, pattern: pattern)
    case .matches: return false  // handled before folding
    }
  }

  private static func isEqual(_ string: Bytes, _ pattern: Bytes, at offset: Int) -> Bool {
    guard let pattern = pattern.baseAddress.map({ ($0, pattern.count) }), let base = string.baseAddress else {
      return true
    }
    return memcmp(base + offset, pattern.0, pattern.1) == 0
  }

  private static func contains(_ string: Bytes, _ pattern: Bytes) -> Bool {
    guard let first = pattern.first, string.count >= pattern.count else { return false }
    for start in 0...(string.count - pattern.count) where string[start] == first {
      if isEqual(string, pattern, at: start) { return true }
    }
    return false
  }
}
