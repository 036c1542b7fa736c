extension Parser {
  private static let closers = ["(": ")", "[": "]", "{": "}"]

  /// Skips a bracketed group or one token.
  mutating func skipElement() {
    guard let token = current else { return }
    if token.isPunctuation("{") || token.isPunctuation("(") || token.isPunctuation("[") {
      skipBalanced()
    } else {
      position += 1
    }
  }

  /// Skips a group from its opening bracket, and notes each `@NSManaged` in it: it belongs to a class in a function.
  mutating func skipBalanced() {
    var open: [String] = []
    while let token = current {
      position += 1
      guard token.kind == .punctuation else { continue }
      if let closer = Parser.closers[token.text] {
        open.append(closer)
      } else if token.text == open.last {
        open.removeLast()
        if open.isEmpty { return }
      } else if token.text == "@", isKeyword("NSManaged") {
        file.localLines.append(token.line)
      }
    }
  }

  /// Skips `< ... >`.
  mutating func skipAngles() {
    var depth = 0
    while let token = current {
      if token.isPunctuation("<") { depth += 1 }
      if token.isPunctuation(">") { depth -= 1 }
      if token.isPunctuation("{") || token.isPunctuation("}") { return }
      if token.isPunctuation("(") || token.isPunctuation("[") { skipBalanced() } else { position += 1 }
      if depth == 0 { return }
    }
  }
}
