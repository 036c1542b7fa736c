/// Makes texts of letters, marks and signs of several scripts that fold, compose or combine in some unusual way.
struct RandomText {
  var random: SeededGenerator

  /// German, Turkish and Greek letters, Vietnamese with stacked marks, Cyrillic, Hangul whole and in parts, kana of both widths,
  /// ligatures, Arabic, Hebrew, Devanagari, Thai, emoji with joiners, NUL, line breaks, unassigned and private scalars.
  static let parts = [
    "a", "E", "I", "i", "k", "s", "S", "ss", "z", "Z", "1", "9", " ", "-", ".", "*", "?", "\\", "ß", "ẞ", "İ", "ı", "ς",
    "Σ",
    "σ", "é", "É", "e\u{301}", "ü", "Ü", "u\u{308}", "\u{301}", "\u{308}", "\u{323}", "\u{302}", "\u{327}", "ệ", "Ệ",
    "e\u{302}\u{323}", "ﬁ", "ﬀ", "\u{1F88}", "ΐ", "\u{345}", "\u{340}", "\u{344}", "\u{1100}", "\u{1161}", "\u{11A8}",
    "가",
    "각", "힣", "か", "が", "\u{3099}", "ｶ", "ﾞ", "ﾡ", "Ａ", "ａ", "\u{212B}", "\u{212A}", "\u{2126}", "ſ", "👩‍👩‍👧", "👍🏽",
    "❤️", "\u{200D}", "\u{FE0F}", "🇩🇪", "\0", "\n", "\r\n", "\u{85}", "\u{2028}", "\u{B}", "\u{C}", "中", "א", "\u{5B0}",
    "ا",
    "\u{653}", "آ", "क", "\u{93C}", "\u{947}", "ก", "\u{E33}", "\u{FFFD}", "\u{FEFF}", "\u{AD}", "ŉ", "ǰ", "Ǆ", "ǅ",
    "ⅷ",
    "Ⓐ", "𐐀", "\u{10FFFF}", "\u{E000}", "\u{378}", "Й", "и\u{306}", "ё", "Ё", "\u{F900}", "\u{1D15E}", "\u{16D67}",
  ]

  /// Bytes that are not UTF-8: single ones, beginnings, a surrogate, forms that are too long.
  private static let wrongBytes: [[UInt8]] = [
    [0x80], [0xBF], [0xC3], [0xE2], [0xE2, 0x82], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC0, 0x80],
    [0xE0, 0x80, 0x80], [0xF5], [0xFF], [0xF4, 0x90, 0x80, 0x80],
  ]

  mutating func text(atMost count: Int = 9) -> String {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in part() }.joined()
  }

  private mutating func part() -> String { Self.parts[Int.random(in: 0..<Self.parts.count, using: &random)] }

  /// Text that has something in common with another one.
  mutating func text(like other: String) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: other.uppercased()
    case 1: other.lowercased()
    case 2: other.decomposedStringWithCanonicalMapping
    case 3: other + text(atMost: 2)
    case 4: text(atMost: 2) + other
    case 5: String(other.unicodeScalars.prefix(Int.random(in: 0...5, using: &random))) + text(atMost: 2)
    case 6: String(other.unicodeScalars.suffix(Int.random(in: 0...5, using: &random)))
    default: text()
    }
  }

  /// The bytes of a text, at times with bytes between that are not UTF-8.
  mutating func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<max(0, Int.random(in: -2...2, using: &random)) {
      let wrong = Self.wrongBytes[Int.random(in: 0..<Self.wrongBytes.count, using: &random)]
      bytes.insert(contentsOf: wrong, at: Int.random(in: 0...bytes.count, using: &random))
    }
    return bytes
  }
}
