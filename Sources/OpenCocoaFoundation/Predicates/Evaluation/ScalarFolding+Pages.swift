import Foundation

extension ScalarFolding {
  /// Computes the entries of a page with one call of the general function: for all independent scalars, each on a line.
  func fill(_ page: UnsafeMutablePointer<Entry>, _ index: Int) {
    let scalars = (0..<256).compactMap { Unicode.Scalar(UInt32(index << 8 | $0)) }.filter(Self.isIndependent)
    guard !scalars.isEmpty else { return }
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(contentsOf: [scalar, "\n"]) }
    let lines = StringFolding.foldGenerally(String(text), options).utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == scalars.count + 1 else { return }
    for (scalar, line) in zip(scalars, lines) { page[Int(scalar.value & 0xFF)] = Self.entry(of: line) }
  }

  /// Returns the entry for a folded form; `dependent` if it is too long, or if it could combine with what is before it.
  private static func entry(of folded: Substring.UTF8View) -> Entry {
    guard let first = Substring(folded).unicodeScalars.first, first.isASCII || isIndependent(first) else {
      return dependent
    }
    return entry(of: folded) ?? dependent
  }

  /// Packs bytes; nil if there are none, or more than seven.
  static func entry(of bytes: some Collection<UInt8>) -> Entry? {
    guard !bytes.isEmpty, bytes.count <= 7 else { return nil }
    return bytes.reversed().reduce(Entry(0)) { $0 << 8 | Entry($1) } | Entry(bytes.count) << 56
  }

  /// Whether a scalar is in one of the scripts whose letters, digits and signs do not combine with the scalar before, and is one
  /// of these.
  private static func isIndependent(_ scalar: Unicode.Scalar) -> Bool {
    guard independentRanges.contains(where: { $0.contains(scalar.value) }) else { return false }
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .notReordered, !properties.isGraphemeExtend,
      !properties.isEmojiModifier
    else { return false }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
      .otherSymbol, .spaceSeparator:
      return true
    default: return false
    }
  }

  /// Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic; signs; kana, ideographs and Hangul syllables; ligatures, forms of other
  /// width, pictographs. The single parts of Hangul syllables are left out, because they combine with each other.
  private static let independentRanges: [ClosedRange<UInt32>] = [
    0x80...0x6FF, 0x1D00...0x1DBF, 0x1E00...0x1FFF, 0x2000...0x2DFF, 0x2E00...0x312F, 0x3190...0xA4CF, 0xA640...0xA7FF,
    0xAB30...0xABBF, 0xAC00...0xD7A3, 0xF900...0xFB06, 0xFF00...0xFF9D, 0xFFE0...0xFFEF, 0x10400...0x1044F,
    0x1F000...0x1FAFF, 0x20000...0x2FA1F,
  ]
}
