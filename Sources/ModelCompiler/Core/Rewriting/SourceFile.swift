/// A source file with its tokens and declarations.
package struct SourceFile {
  package let path: String
  let bytes: [UInt8]
  let tokens: [Token]
  let interpolations: [Range<Int>]
  package let parsed: ParsedFile
  /// The bodies of the file's types and extensions, with their places.
  let bodies: [TypeBody]
  /// The classes that are declared in functions.
  let localClasses: [LocalClass]

  package init(_ source: String, path: String) {
    self.path = path
    var lexer = Lexer(source)
    lexer.run()
    bytes = lexer.source
    tokens = lexer.tokens
    interpolations = lexer.interpolations
    var parsed = Parser.parse(tokens, path: path)
    // This platform has no submodules of CoreData.
    for index in parsed.imports.indices where parsed.imports[index].path[0] == "CoreData" {
      if parsed.imports[index].scope == nil { parsed.imports[index].path = ["CoreData"] }
    }
    parsed.optionalRequirements = OptionalRequirement.all(in: tokens, path: path, bytes)
    self.parsed = parsed
    bodies = Parser.outline(tokens, path: path)
    localClasses = LocalClass.all(in: tokens, besides: bodies)
  }

  /// Whether the file is called main.swift. The compiler would take a file with a directive of this name for another
  /// main.swift, so the copy has no such directive.
  var isMain: Bool { parsed.name == "main.swift" }

  /// Returns the bytes from the first token to the last.
  func bytes(of tokenRange: Range<Int>) -> Range<Int> {
    guard let first = tokenRange.first, let last = tokenRange.last else { return 0..<0 }
    return tokens[first].range.lowerBound..<tokens[last].range.upperBound
  }

  /// Returns the spaces before a token in its line.
  func indentation(of token: Int) -> String {
    let start = tokens[token].range.lowerBound
    let line = bytes[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(repeating: " ", count: start - line)
  }

  func text(_ tokenRange: Range<Int>) -> String {
    guard let first = tokenRange.first, let last = tokenRange.last else { return "" }
    return String(decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self)
  }

  /// Returns the copy of a file that cannot have a directive with its origin: the imports are added after an existing
  /// import if possible, so that no line moves.
  func adding(_ imports: [String], to edits: SourceEdits) -> String {
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if case .directive(let directive) = token.kind { depth += directive == .if ? 1 : directive == .endif ? -1 : 0 }
      guard depth == 0, token.isKeyword("import"), index + 1 < tokens.count, !imports.joined().contains("\n") else {
        continue
      }
      var last = index + 1
      while last + 1 < tokens.count, tokens[last + 1].line == token.line, !tokens[last + 1].isPunctuation(";") {
        last += 1
      }
      var edits = edits
      edits.insert(imports.map { "; " + $0 }.joined(), at: tokens[last].range.upperBound)
      return edits.result
    }
    return imports.map { $0 + "\n" }.joined() + edits.result
  }
}
