extension Lexer {
  /// Skips `#!/usr/bin/swift` on the first line of a script.
  mutating func skipHashBang() {
    if peek(0) == UInt8(ascii: "#"), peek(1) == UInt8(ascii: "!") { skipLineComment() }
  }

  mutating func skipLineComment() {
    while position < source.count, source[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// Skips a block comment, with the comments nested in it.
  mutating func skipBlockComment() {
    var depth = 0
    while position < source.count {
      if source[position] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if source[position] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        if source[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    }
  }
}
