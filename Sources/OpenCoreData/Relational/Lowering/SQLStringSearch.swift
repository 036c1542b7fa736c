import Foundation
import OpenCocoaFoundation

/// The tests of strings under options, on the bytes that a database holds.
enum SQLStringSearch {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Whether a string passes a test against a pattern.
  ///
  /// - Throws: The error of NSRegularExpression for an invalid pattern of `matches`.
  static func holds(
    _ test: SQLStringTest, _ string: Bytes, _ pattern: Bytes, _ options: SQLStringOptions
  ) throws -> Bool {
    if test == .matches {
      return try matchPattern(pattern, options).matches(string)
    }
    let folding = StringFolding.Options(options.comparisonOptions)
    guard options.contains(.folded) else {
      return withFolded(pattern, folding) { pattern in withFolded(string, folding) { holds(test, $0, pattern) } }
    }
    return withFolded(string, folding) { holds(test, $0, pattern) }
  }

  /// Returns a pattern of `matches` that is compiled.
  ///
  /// - Throws: The error of NSRegularExpression for an invalid pattern.
  static func matchPattern(_ pattern: Bytes, _ options: SQLStringOptions) throws -> MatchPattern {
    try RegularExpressions.matchPattern(String(decoding: pattern, as: UTF8.self), options.comparisonOptions)
  }

  /// Calls `body` with the folded form of bytes. It is UTF-8 in any case, also without options.
  private static func withFolded(
    _ bytes: Bytes, _ options: StringFolding.Options, _ body: (Bytes) -> Bool
  ) -> Bool {
    guard options.isEmpty else { return StringFolding.holds(bytes, options, body) }
    if bytes.allSatisfy({ $0 < 0x80 }) { return body(bytes) }
    var string = String(decoding: bytes, as: UTF8.self)
    return string.withUTF8(body)
  }

  /// Applies the test to folded bytes. No string contains, begins with or ends with the empty string.
  private static func holds(_ test: SQLStringTest, _ string: Bytes, _ pattern: Bytes) -> Bool {
    switch test {
    case .equals: return string.count == pattern.count && ByteSearch.has(pattern, string, at: 0)
    case .beginsWith:
      return !pattern.isEmpty && string.count >= pattern.count && ByteSearch.has(pattern, string, at: 0)
    case .endsWith:
      return !pattern.isEmpty && string.count >= pattern.count
        && ByteSearch.has(pattern, string, at: string.count - pattern.count)
    case .contains: return ByteSearch.place(of: pattern, in: string, 0..<string.count) != nil
    case .like: return WildcardPattern.matches(string, pattern: pattern)
    case .matches: return false  // handled before folding
    }
  }
}
