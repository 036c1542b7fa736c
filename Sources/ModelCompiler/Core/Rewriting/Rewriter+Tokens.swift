extension Rewriter {
  /// Replaces attributes, `#keyPath`, `#selector`, casts, qualified names and literals of sets.
  mutating func rewriteTokens(_ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    for index in tokens.indices.dropLast() {
      if tokens[index].kind == .identifier {
        rewriteCast(at: index, tokens, file, &edits)
        requalify(at: index, tokens, file, &edits)
        rewriteSetLiteral(at: index, tokens, file, &edits)
        continue
      }
      let name = tokens[index + 1]
      guard name.kind == .identifier, tokens[index].range.upperBound == name.range.lowerBound else { continue }
      if tokens[index].isPunctuation("@") {
        switch name.text {
        case "objc":
          removeAttribute(at: index, tokens, file, &edits)
          note("@objc is left out", name.line, file)
        case "objcMembers", "NSManaged":
          edits.blank(tokens[index].range.lowerBound..<name.range.upperBound)
          note(name.text == "NSManaged" ? "@NSManaged gets a body" : "@objcMembers is left out", name.line, file)
        default: break
        }
      } else if tokens[index].isPunctuation("#"), ["keyPath", "selector"].contains(name.text) {
        guard let end = closing(index + 2, tokens) else { continue }
        let range = tokens[index].range.lowerBound..<tokens[end].range.upperBound
        let inner = Array(tokens[(index + 3)..<end])
        let text = name.text == "keyPath" ? keyPath(inner) : selector(inner, in: file)
        edits.replace(range, with: text)
        note("#\(name.text) is \(text)", name.line, file)
      }
    }
  }

  /// Returns the parenthesis that closes the one at an index.
  func closing(_ open: Int, _ tokens: [Token]) -> Int? {
    guard open < tokens.count, tokens[open].isPunctuation("(") else { return nil }
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isPunctuation("(") { depth += 1 }
      if tokens[index].isPunctuation(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension Token {
  /// Returns the token at another place, for one within a string.
  func moved(by offset: Int, lines: Int) -> Token {
    var token = self
    token.range = (range.lowerBound + offset)..<(range.upperBound + offset)
    token.line += lines
    return token
  }
}
