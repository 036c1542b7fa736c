extension Mangler {
  /// Writes an identifier with its length, or a reference to it.
  mutating func appendIdentifier(_ name: String) {
    if appendSubstitution(.identifier(name)) { return }
    addSubstitution(.identifier(name))
    let bytes = Array(name.utf8)
    if Mangler.needsPunycode(bytes) {
      let encoded = Punycode.encode(Mangler.isRaw(bytes) ? Mangler.raw(name) : name)
      let first = encoded.utf8.first ?? 0
      append("00\(encoded.utf8.count)")
      if Lexer.isDigit(first) || first == UInt8(ascii: "_") { append("_") }
      append(encoded)
    } else {
      appendWords(of: bytes)
    }
  }

  /// Whether a name needs Punycode: symbols consist of ASCII letters, digits, underscores and dollar signs.
  private static func needsPunycode(_ bytes: [UInt8]) -> Bool { isRaw(bytes) || bytes.contains { $0 >= 0x80 } }

  /// Whether a name is valid only in backticks, like `number of items`.
  private static func isRaw(_ bytes: [UInt8]) -> Bool {
    bytes.first.map(Lexer.isDigit) == true || bytes.contains { !Lexer.isIdentifier($0) }
  }

  /// Returns such a name as the compiler mangles it: with its backticks, and with non-breaking spaces.
  private static func raw(_ name: String) -> String {
    "`" + name.replacing(" ", with: "\u{A0}") + "`"
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }

  /// Writes an identifier. Its words are separated by camel case and underscores. A word that occurred earlier in the
  /// symbol is written as a letter.
  private mutating func appendWords(of name: [UInt8]) {
    var repetitions: [(start: Int, word: Int)] = []
    var start: Int?
    for index in 0...name.count {
      let byte = index < name.count ? name[index] : 0
      if let first = start, byte == UInt8(ascii: "_") || byte == 0 || endsWord(name[index - 1], byte) {
        let word = Array(name[first..<index])
        if let found = words.firstIndex(of: word) {
          repetitions.append((first, found))
        } else if word.count >= 2, words.count < 26 {
          words.append(word)
        }
        start = nil
      }
      if start == nil, byte != 0, byte != UInt8(ascii: "_"), !Lexer.isDigit(byte) { start = index }
    }
    write(name, repeating: repetitions)
  }

  private func endsWord(_ previous: UInt8, _ byte: UInt8) -> Bool {
    !Mangler.isCapital(previous) && Mangler.isCapital(byte)
  }

  private mutating func write(_ name: [UInt8], repeating repetitions: [(start: Int, word: Int)]) {
    if !repetitions.isEmpty { append("0") }
    var position = 0
    for (index, repetition) in repetitions.enumerated() {
      writeLiteral(name[position..<repetition.start])
      position = repetition.start + words[repetition.word].count
      // A capital letter ends the run of words.
      let isLast = index == repetitions.count - 1
      buffer.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(repetition.word))
      if isLast, position == name.count { append("0") }
    }
    writeLiteral(name[position...])
  }

  private mutating func writeLiteral(_ part: ArraySlice<UInt8>) {
    guard !part.isEmpty else { return }
    append("\(part.count)")
    buffer += part
  }
}
