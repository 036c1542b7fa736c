import Foundation

/// Converts strings to a form in which case, diacritical marks or width make no difference.
///
/// Evaluation in memory and the functions of a store both use it, so that they have the same results.
package enum StringFolding {
  /// Folds a string. Two strings are equal under the options if the bytes of their folded forms are equal.
  package static func fold(_ string: String, case: Bool, diacritic: Bool, width: Bool = false) -> String {
    guard `case` || diacritic || width else { return string }
    if let ascii = foldedASCII(string, lowercase: `case`) { return ascii }
    var options: String.CompareOptions = []
    if `case` { options.insert(.caseInsensitive) }
    if diacritic { options.insert(.diacriticInsensitive) }
    if width { options.insert(.widthInsensitive) }
    // With any of the options, composed and decomposed letters are equal, too.
    return string.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
  }

  /// Folds a string by the options of a comparison.
  package static func fold(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
    fold(
      string, case: options.contains(.caseInsensitive), diacritic: options.contains(.diacriticInsensitive),
      width: options.contains(.widthInsensitive))
  }

  /// Returns the folded string if it is ASCII, where marks and widths do not occur; nil for other strings.
  private static func foldedASCII(_ string: String, lowercase: Bool) -> String? {
    var hasUppercase = false
    for byte in string.utf8 {
      guard byte < 0x80 else { return nil }
      if byte >= 0x41, byte <= 0x5A { hasUppercase = true }
    }
    guard lowercase, hasUppercase else { return string }
    let count = string.utf8.count
    return String(unsafeUninitializedCapacity: count) { buffer in
      var index = 0
      for byte in string.utf8 {
        buffer[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
        index += 1
      }
      return index
    }
  }
}
