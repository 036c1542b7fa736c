/// The width of text in a monospaced font.
enum TextWidth {
  static func of(_ text: String, _ size: Double) -> Double { Double(cells(text)) * size * 0.61 }

  /// Returns the number of columns of a text. Letters of East Asian scripts and pictures take two columns.
  static func cells(_ text: String) -> Int {
    text.reduce(0) { $0 + (($1.unicodeScalars.first?.value ?? 0) >= 0x1100 ? 2 : 1) }
  }
}
