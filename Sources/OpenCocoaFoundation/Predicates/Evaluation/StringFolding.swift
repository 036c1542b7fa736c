import Foundation

/// Converts strings to a form in which case, diacritical marks or width make no difference.
///
/// Evaluation in memory and the functions of a store both use it, so that they have the same results.
package enum StringFolding {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// What makes no difference in the folded form.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    package static let widthInsensitive = Options(rawValue: 4)

    package init(_ options: NSComparisonPredicate.Options) {
      self = []
      if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
      if options.contains(.diacriticInsensitive) { insert(.diacriticInsensitive) }
      if options.contains(.widthInsensitive) { insert(.widthInsensitive) }
    }
  }

  /// Folds a string. Two strings are equal under the options if the bytes of their folded forms are equal.
  package static func fold(_ string: String, case: Bool, diacritic: Bool, width: Bool = false) -> String {
    var options: Options = []
    if `case` { options.insert(.caseInsensitive) }
    if diacritic { options.insert(.diacriticInsensitive) }
    if width { options.insert(.widthInsensitive) }
    return fold(string, options)
  }

  /// Folds a string by the options of a comparison.
  package static func fold(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
    fold(string, Options(options))
  }

  /// Folds a string. A string that has the folded form is returned as it is.
  package static func fold(_ string: String, _ options: Options) -> String {
    guard !options.isEmpty else { return string }
    var string = string
    let folded: String? = string.withUTF8 { bytes in
      withFolded(bytes, options) { isSame(bytes, $0) ? nil : String(decoding: $0, as: UTF8.self) }
    }
    return folded ?? string
  }

  /// Folds bytes of UTF-8, and calls `body` with the folded bytes, which are valid only during the call.
  package static func withFolded<Result>(
    _ bytes: Bytes, _ options: Options, _ body: (Bytes) throws -> Result
  ) rethrows -> Result {
    guard !options.isEmpty, !bytes.isEmpty else { return try body(bytes) }
    return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ScalarFolding.capacity(for: bytes)) { buffer in
      if ASCIIFolding.fold(bytes, into: buffer, lowercases: options.contains(.caseInsensitive)) {
        return try body(Bytes(rebasing: buffer[..<bytes.count]))
      }
      let folding = ScalarFolding.of(options)
      if let count = folding.fold(bytes, into: buffer) {
        return try body(Bytes(rebasing: buffer[..<count]))
      }
      var folded = foldGenerally(String(decoding: bytes, as: UTF8.self), options)
      return try folded.withUTF8(body)
    }
  }

  /// Whether the folded form of bytes of UTF-8 passes a test. Calls from other modules are not specialized where a function is
  /// generic, so this one is not.
  package static func holds(_ bytes: Bytes, _ options: Options, _ test: (Bytes) -> Bool) -> Bool {
    withFolded(bytes, options, test)
  }

  /// Folds any string by Foundation's functions. `ScalarFolding` has the results of this function in its table.
  ///
  /// Foundation also makes composed and decomposed letters equal, with any of the options.
  package static func foldGenerally(_ string: String, _ options: Options) -> String {
    var mask: String.CompareOptions = []
    if options.contains(.caseInsensitive) { mask.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { mask.insert(.diacriticInsensitive) }
    if options.contains(.widthInsensitive) { mask.insert(.widthInsensitive) }
    return string.folding(options: mask, locale: nil).precomposedStringWithCanonicalMapping
  }

  private static func isSame(_ first: Bytes, _ second: Bytes) -> Bool {
    guard first.count == second.count, let start = first.baseAddress, let other = second.baseAddress else {
      return first.count == second.count
    }
    return memcmp(start, other, first.count) == 0
  }
}
