import Foundation

/// The form of a string in which case, diacritical marks or width make no difference.
///
/// Evaluation in memory and in a store's functions both fold by this, so that they give the same answer.
package enum StringFolding {
  /// Folds a string; two strings are the same under the options when the bytes of their folded forms are.
  package static func fold(_ string: String, case: Bool, diacritic: Bool, width: Bool = false) -> String {
    guard `case` || diacritic || width else { return string }
    if let ascii = foldedASCII(string, lowercase: `case`) { return ascii }
    var options: String.CompareOptions = []
    if `case` { options.insert(.caseInsensitive) }
    if diacritic { options.insert(.diacriticInsensitive) }
    if width { options.insert(.widthInsensitive) }
    // In loose comparisons, composed and decomposed letters are expected to be equal.
    return string.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
  }

  /// Folds a string by the options of a comparison.
  package static func fold(_ string: String, _ options: NSComparisonPredicate.Options) -> String {
    fold(
      string, case: options.contains(.caseInsensitive), diacritic: options.contains(.diacriticInsensitive),
      width: options.contains(.widthInsensitive))
  }

  /// The folded string if it is ASCII, which has neither marks nor widths.
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
