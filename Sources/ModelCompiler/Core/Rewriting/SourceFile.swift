/// A source file with its tokens and declarations.
package struct SourceFile {
  package let path: String
  let bytes: [UInt8]
  let tokens: [Token]
  let interpolations: [Range<Int>]
  package let parsed: ParsedFile

  package init(_ source: String, path: String) {
    self.path = path
    var lexer = Lexer(source)
    lexer.run()
    bytes = lexer.source
    tokens = lexer.tokens
    interpolations = lexer.interpolations
    parsed = Parser.parse(tokens, path: path)
  }

  func text(_ tokenRange: Range<Int>) -> String {
    guard let first = tokenRange.first, let last = tokenRange.last else { return "" }
    return String(decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self)
  }
}
