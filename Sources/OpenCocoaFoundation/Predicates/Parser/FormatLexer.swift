/// Divides the format of a predicate into tokens.
struct FormatLexer {
  private let bytes: [UInt8]
  private let format: String
  private var position = 0

  init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  /// Returns all tokens of a format; the last one is `.end`.
  static func tokens(of format: String) throws -> [FormatToken] {
    var lexer = FormatLexer(format)
    var tokens: [FormatToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws -> FormatToken {
    while position < bytes.count, case let length = spaceLength(at: position), length > 0 { position += length }
    let start = position
    guard start < bytes.count else { return FormatToken(kind: .end, start: start) }
    return FormatToken(kind: try kind(startingWith: bytes[start]), start: start)
  }

  private mutating func kind(startingWith byte: UInt8) throws -> FormatToken.Kind {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .string(try string(quote: byte))
    case UInt8(ascii: "@"):
      if let quote = peek(1), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
        position += 1
        return .string(try string(quote: quote))
      }
      return .collectionOperator(try name(after: 1))
    case UInt8(ascii: "$"):
      return .variable(try name(after: 1))
    case UInt8(ascii: "#"):
      return .quotedName(try name(after: 1))
    case UInt8(ascii: "%"):
      return try conversion()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try number()
    case UInt8(ascii: "."):
      if let next = peek(1), Self.isDigit(next) { return try number() }
      return try sign()
    default:
      return Self.isNameStart(byte) ? .name(selector()) : try sign()
    }
  }

  // MARK: Names

  private mutating func name(after count: Int) throws -> String {
    position += count
    guard position < bytes.count, Self.isNameStart(bytes[position]), spaceLength(at: position) == 0 else {
      throw failure(expected: "a name")
    }
    return plainName()
  }

  private mutating func plainName() -> String {
    let start = position
    while position < bytes.count, Self.isNameStart(bytes[position]) || Self.isDigit(bytes[position]),
      spaceLength(at: position) == 0
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a name, including the colons of a function's selector: `add:to:`.
  private mutating func selector() -> String {
    var selector = plainName()
    while peek(0) == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") {
      position += 1
      selector += ":" + plainName()
    }
    return selector
  }

  // MARK: Signs and conversions

  private static let aliases: [String: FormatToken.Sign] = [
    "=": .equal, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
  ]

  private mutating func sign() throws -> FormatToken.Kind {
    for length in [2, 1] where position + length <= bytes.count {
      let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
      if let sign = FormatToken.Sign(rawValue: text) ?? Self.aliases[text] {
        position += length
        return .sign(sign)
      }
    }
    throw failure(expected: "an expression or an operator")
  }

  /// Reads `%@`, `%K` or a printf conversion, whose length modifiers are ignored.
  private mutating func conversion() throws -> FormatToken.Kind {
    position += 1
    while let modifier = peek(0), "hlqLzjt".utf8.contains(modifier) { position += 1 }
    guard let byte = peek(0) else { throw failure(expected: "a conversion such as %@ or %K") }
    guard "@KdDiuUxXoOfFeEgGaAcCsS%".utf8.contains(byte) else {
      throw failure(expected: "a conversion such as %@ or %K")
    }
    position += 1
    return byte == UInt8(ascii: "%") ? .sign(.modulus) : .argument(Character(Unicode.Scalar(byte)))
  }

  // MARK: Helpers for the literals

  func peek(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  mutating func advance(_ count: Int = 1) {
    position += count
  }

  var here: Int { position }

  func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  func failure(expected: String) -> OCDPredicateFormatError {
    failure(at: position, expected: expected)
  }

  func failure(at start: Int, expected: String) -> OCDPredicateFormatError {
    let rest = start < bytes.count ? "'" + String(decoding: bytes[start...].prefix(20), as: UTF8.self) + "'" : nil
    return OCDPredicateFormatError(format: format, byteOffset: start, expected: expected, found: rest ?? "the end")
  }

  /// Returns the number of bytes of a white-space character at a position; 0 for another character. Pasted text may contain white
  /// space that is not ASCII.
  func spaceLength(at start: Int) -> Int {
    let byte = bytes[start]
    if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) ? 1 : 0 }
    guard byte == 0xC2 || byte == 0xE2 || byte == 0xE3 else { return 0 }
    let length = byte == 0xC2 ? 2 : 3
    guard start + length <= bytes.count,
      let scalar = String(decoding: bytes[start..<start + length], as: UTF8.self)
        .unicodeScalars.first
    else { return 0 }
    return scalar.properties.isWhitespace ? length : 0
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: byte >= 0x80  // Names may contain letters of other scripts.
    }
  }
}
