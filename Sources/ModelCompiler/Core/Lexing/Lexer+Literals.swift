extension Lexer {
  /// Scans a string literal, including interpolations. Its number signs have been passed already.
  mutating func scanString(hashes: Int) {
    let first = line
    let isMultiline = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    position += quotes
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "\"") where closes(quotes: quotes, hashes: hashes):
        position += quotes + hashes
        append(.literal, line: first)
        return
      case UInt8(ascii: "\\") where follows(hashes: hashes, at: 1):
        position += 1 + hashes
        if peek(0) == UInt8(ascii: "(") {
          skipInterpolation()
        } else if peek(0) != UInt8(ascii: "\n") {
          position += 1
        }
      case UInt8(ascii: "\n"):
        // The source is broken: the compiler reports the error, and the literal ends with this line.
        if !isMultiline { return append(.literal, line: first) }
        line += 1
        position += 1
      default: position += 1
      }
    }
    append(.literal, line: first)
  }

  private func follows(hashes: Int, at offset: Int) -> Bool {
    (0..<hashes).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
  }

  private func closes(quotes: Int, hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") } && follows(hashes: hashes, at: quotes)
  }

  /// Skips `( ... )` with the strings, comments and parentheses in it.
  private mutating func skipInterpolation() {
    let kept = tokens.count
    let start = position
    let outer = interpolations.count
    defer {
      interpolations.removeSubrange(outer...)
      interpolations.append(start..<min(position, source.count))
    }
    var depth = 0
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "("):
        depth += 1
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
        if depth == 0 {
          tokens.removeSubrange(kept...)
          return
        }
      case UInt8(ascii: "\""): scanString(hashes: 0)
      case UInt8(ascii: "#"):
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        position += hashes
        if peek(0) == UInt8(ascii: "\"") { scanString(hashes: hashes) }
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      default: position += 1
      }
    }
    tokens.removeSubrange(kept...)
  }

  /// Skips `#/ ... /#`, which may span several lines.
  mutating func skipExtendedRegularExpression(hashes: Int) {
    let first = line
    position += hashes + 1
    while position < source.count {
      if source[position] == UInt8(ascii: "/"), follows(hashes: hashes, at: 1) {
        position += 1 + hashes
        break
      }
      if source[position] == UInt8(ascii: "\\"), peek(1) != UInt8(ascii: "\n") { position += 1 }
      if peek(0) == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    append(.literal, line: first)
  }

  /// Scans `/ ... /` at a place where an expression may begin; returns false if the slash is an operator.
  mutating func scanRegularExpression() -> Bool {
    if let previous = tokens.last, previous.line == line, endsExpression(previous) { return false }
    if peek(1) == UInt8(ascii: " ") || peek(1) == UInt8(ascii: "\t") { return false }
    var end = position + 1
    while end < source.count, source[end] != UInt8(ascii: "\n") {
      if source[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if source[end] == UInt8(ascii: "/") {
        position = end + 1
        append(.literal)
        return true
      }
      end += 1
    }
    return false
  }

  private func endsExpression(_ token: Token) -> Bool {
    switch token.kind {
    case .literal, .escapedIdentifier: true
    case .identifier: !["return", "in", "case", "try", "await", "if", "while", "guard", "where"].contains(token.text)
    case .punctuation: [")", "]", "}", "?", "!", ">"].contains(token.text)
    case .directive: false
    }
  }
}
