extension Lexer {
  /// Scans `#if`, `#elseif`, `#else` or `#endif` with its condition; returns false for any other word.
  mutating func scanDirective() -> Bool {
    let start = position
    position += 1
    let wordStart = position
    while position < source.count, Lexer.isIdentifier(source[position]) { position += 1 }
    let directive: Token.Directive
    switch text(from: wordStart) {
    case "if": directive = .if
    case "elseif": directive = .elseif
    case "else": directive = .else
    case "endif": directive = .endif
    default:
      position = start
      return false
    }
    append(.directive(directive), directive == .if || directive == .elseif ? scanCondition() : "")
    return true
  }

  /// Returns the rest of the line without its comments.
  private mutating func scanCondition() -> String {
    var condition: [UInt8] = []
    while position < source.count, source[position] != UInt8(ascii: "\n") {
      if source[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") { break }
      if source[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipBlockComment()
        continue
      }
      condition.append(source[position])
      position += 1
    }
    let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
    while let last = condition.last, blanks.contains(last) { condition.removeLast() }
    return String(decoding: condition.drop { blanks.contains($0) }, as: UTF8.self)
  }
}
