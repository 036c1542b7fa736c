extension FormatLexer {
  /// Reads a string in quotes. `%@` has no special meaning inside.
  mutating func string(quote: UInt8) throws -> String {
    advance()
    var content: [UInt8] = []
    while let byte = peek(0) {
      advance()
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), let escaped = peek(0) {
        advance()
        appendEscape(escaped, to: &content)
      } else {
        content.append(byte)
      }
    }
    throw failure(expected: "the quote that ends the string")
  }

  private mutating func appendEscape(_ escaped: UInt8, to content: inout [UInt8]) {
    switch escaped {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): content.append(escaped)
    case UInt8(ascii: "u"):
      if let scalar = hexScalar(digits: 4) {
        content += Array(String(Character(scalar)).utf8)
      } else {
        content += [UInt8(ascii: "\\"), escaped]
      }
    default:
      // The backslash is kept, because patterns of LIKE and MATCHES have escapes of their own: \d, \*.
      content += [UInt8(ascii: "\\"), escaped]
    }
  }

  private mutating func hexScalar(digits: Int) -> Unicode.Scalar? {
    var value: UInt32 = 0
    for offset in 0..<digits {
      guard let byte = peek(offset), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value * 16 + UInt32(digit)
    }
    guard let scalar = Unicode.Scalar(value) else { return nil }
    advance(digits)
    return scalar
  }

  /// Reads a number: `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `.5`, `1e-3`
  mutating func number() throws -> FormatToken.Kind {
    let start = here
    if peek(0) == UInt8(ascii: "0"), let letter = peek(1), let radix = Self.radix(letter) {
      return try number(radix: radix)
    }
    var isInteger = true
    skipDigits()
    if peek(0) == UInt8(ascii: "."), let digit = peek(1), Self.isDigit(digit) {
      isInteger = false
      advance()
      skipDigits()
    }
    if let e = peek(0), e | 0x20 == UInt8(ascii: "e") {
      let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if let digit = peek(signed ? 2 : 1), Self.isDigit(digit) {
        isInteger = false
        advance(signed ? 2 : 1)
        skipDigits()
      }
    }
    if let byte = peek(0), Self.isNameStart(byte), spaceLength(at: here) == 0 {
      throw failure(expected: "the end of the number")
    }
    if isInteger, let value = UInt64(text(from: start)) { return Self.integer(value) }
    guard let value = Double(text(from: start)) else { throw failure(expected: "a number") }
    return .double(value)
  }

  private static func radix(_ letter: UInt8) -> Int? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  /// Reads a number with the prefix of its base.
  private mutating func number(radix: Int) throws -> FormatToken.Kind {
    advance(2)
    let start = here
    while let byte = peek(0), Self.isNameStart(byte) || Self.isDigit(byte), spaceLength(at: here) == 0 { advance() }
    guard let value = UInt64(text(from: start), radix: radix) else {
      throw failure(at: start, expected: "a number of at most 64 bits to the base \(radix)")
    }
    return Self.integer(value)
  }

  private mutating func skipDigits() {
    while let byte = peek(0), Self.isDigit(byte) { advance() }
  }

  private static func integer(_ value: UInt64) -> FormatToken.Kind {
    Int64(exactly: value).map(FormatToken.Kind.integer) ?? .unsignedInteger(value)
  }
}
