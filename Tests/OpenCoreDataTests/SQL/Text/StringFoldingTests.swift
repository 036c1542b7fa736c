import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Texts that are folded scalar by scalar have the folded form that Foundation gives the whole text, byte by byte.
@Suite struct StringFoldingTests {
  /// `SOAK=300` takes all scalars.
  @Test func eachScalarAmongOthers() {
    let neighbours = ["", "e", "É", "e\u{301}", "\u{1112}\u{1161}", "か", "İ", "ß", "ς", "ﾊ", "क"]
    var random = SeededGenerator(for: "scalars")
    let step = max(1, 300 / Soak.factor)
    var value = UInt32.random(in: 0..<UInt32(step), using: &random)
    while value < 0x30000 {
      // Ideographs and Hangul syllables are many, and all alike.
      let isDense = (0x3400..<0xA000).contains(value) || (0xAC00..<0xD7A4).contains(value) || value >= 0x1F000
      if let scalar = Unicode.Scalar(value) {
        let before = neighbours[Int(value) % 11], after = neighbours[Int(value / 11) % 11]
        let text = "\(before)\(scalar)x\(scalar)\(after)"
        for options in PlainText.allOptions.dropFirst() { check(text, options) }
      }
      value += UInt32(isDense ? step * 7 : step)
    }
  }

  @Test func randomTexts() {
    var random = RandomText(random: SeededGenerator(for: "texts"))
    for _ in 0..<500 * Soak.factor {
      let text = random.text(atMost: 12)
      for options in PlainText.allOptions { check(text, options) }
    }
  }

  /// Many combining marks, of which one text has more than the functions look up one by one.
  @Test func longTexts() {
    for part in ["e\u{301}", "\u{301}", "Ü", "ß", "\u{1100}\u{1161}\u{11A8}", "ΐ", "\u{1F3FB}", "A"] {
      for count in [7, 8, 9, 100, 3000] {
        for options in PlainText.allOptions { check(String(repeating: part, count: count) + "E", options) }
      }
    }
  }

  @Test func aFoldedStringIsReturnedAsItIs() {
    for string in ["", "a", "mueller", "müller", "a longer text without uppercase letters"] {
      #expect(StringFolding.fold(string, case: true, diacritic: false) == string)
    }
    #expect(StringFolding.fold("MÜLLER", case: true, diacritic: true) == "muller")
    #expect(StringFolding.fold("Ä\u{301}", case: true, diacritic: false).scalarText == "e4 301")
  }

  private func check(_ text: String, _ options: StringFolding.Options) {
    let found = StringFolding.fold(text, options), expected = PlainText.fold(text, options)
    #expect(
      found.utf8.elementsEqual(expected.utf8),
      "\(options.rawValue): \(text.scalarText) gives \(found.scalarText), not \(expected.scalarText)")
  }
}
