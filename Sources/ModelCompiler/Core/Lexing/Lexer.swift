/// Splits Swift source into tokens.
///
/// The lexer works on UTF-8 bytes: every character that separates tokens is ASCII, and all other bytes belong to names.
package struct Lexer {
  let source: [UInt8]
  var position = 0
  var line = 1
  package internal(set) var tokens: [Token] = []
  /// The ranges of `( ... )` in string literals, only the outermost ones.
  package internal(set) var interpolations: [Range<Int>] = []

  package init(_ source: String) { self.source = Array(source.utf8) }

  init(_ source: [UInt8]) { self.source = source }

  /// Returns the tokens of a source text without comments.
  package static func tokens(of source: String) -> [Token] {
    var lexer = Lexer(source)
    lexer.run()
    return lexer.tokens
  }

  mutating func run() {
    skipHashBang()
    while position < source.count {
      let start = position
      let count = tokens.count
      scan()
      if tokens.count > count { tokens[tokens.count - 1].range = start..<min(position, source.count) }
    }
  }

  /// Passes a blank, a comment or a token.
  private mutating func scan() {
    let byte = source[position]
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      position += 1
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0: position += 1
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLineComment()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
    case UInt8(ascii: "/"): if !scanRegularExpression() { scanPunctuation() }
    case UInt8(ascii: "\""): scanString(hashes: 0)
    case UInt8(ascii: "#"): scanHash()
    case UInt8(ascii: "`"): scanEscapedIdentifier()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): scanNumber()
    default: if Lexer.isIdentifier(byte) { scanIdentifier() } else { scanPunctuation() }
    }
  }

  func peek(_ offset: Int) -> UInt8 { position + offset < source.count ? source[position + offset] : 0 }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  static func isIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit(byte)
    }
  }

  func text(from start: Int) -> String { String(decoding: source[start..<position], as: UTF8.self) }

  mutating func append(_ kind: Token.Kind, _ text: String = "", line: Int? = nil) {
    tokens.append(Token(kind, text, line: line ?? self.line))
  }

  private mutating func scanIdentifier() {
    let start = position
    while position < source.count, Lexer.isIdentifier(source[position]) { position += 1 }
    append(.identifier, text(from: start))
  }

  private mutating func scanEscapedIdentifier() {
    position += 1
    let start = position
    while position < source.count, source[position] != UInt8(ascii: "`"), source[position] != UInt8(ascii: "\n") {
      position += 1
    }
    append(.escapedIdentifier, text(from: start))
    position += 1
  }

  private mutating func scanNumber() {
    while position < source.count, Lexer.isIdentifier(source[position]) { position += 1 }
    append(.literal)
  }

  private mutating func scanPunctuation() {
    if source[position] == UInt8(ascii: "-"), peek(1) == UInt8(ascii: ">") {
      append(.punctuation, "->")
      position += 2
    } else {
      append(.punctuation, String(UnicodeScalar(source[position])))
      position += 1
    }
  }

  /// Scans `#"raw"#`, `#/regex/#`, a condition, or the number sign of a macro.
  private mutating func scanHash() {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if peek(hashes) == UInt8(ascii: "\"") {
      position += hashes
      scanString(hashes: hashes)
    } else if peek(hashes) == UInt8(ascii: "/") {
      skipExtendedRegularExpression(hashes: hashes)
    } else if !scanDirective() {
      scanPunctuation()
    }
  }
}
