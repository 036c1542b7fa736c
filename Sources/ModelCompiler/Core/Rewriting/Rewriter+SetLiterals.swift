extension Rewriter {
  private static let setNames: Set = ["NSSet", "NSMutableSet", "NSCountedSet"]

  /// Makes `[a, b] as NSSet` and `let s: NSSet = [a, b]` calls of `NSSet(array:)`: these classes take no literal on Linux.
  mutating func rewriteSetLiteral(at index: Int, _ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    guard index > 0 else { return }
    if tokens[index].isKeyword("as"), let name = setName(after: index, tokens), isLiteral(endingAt: index - 1, tokens) {
      guard let open = opening(index - 1, tokens) else { return }
      var last = name
      if name + 1 < tokens.count, isMark(name + 1, tokens) { last += 1 }
      edits.insert("\(tokens[name].text)(array: ", at: tokens[open].range.lowerBound)
      edits.replace(tokens[index].range.lowerBound..<tokens[last].range.upperBound, with: ")")
      note("the literal is \(tokens[name].text)(array:)", tokens[open].line, file)
    } else if tokens[index - 1].isPunctuation(":"), let name = setName(after: index - 1, tokens) {
      var equals = name + 1
      if equals < tokens.count, isMark(equals, tokens) { equals += 1 }
      guard equals + 1 < tokens.count, tokens[equals].isPunctuation("="), tokens[equals + 1].isPunctuation("["),
        let close = closingBracket(equals + 1, tokens), isLiteral(endingAt: close, tokens), isEnd(close, tokens)
      else { return }
      edits.insert("\(tokens[name].text)(array: ", at: tokens[equals + 1].range.lowerBound)
      edits.insert(")", at: tokens[close].range.upperBound)
      note("the literal is \(tokens[name].text)(array:)", tokens[equals + 1].line, file)
    }
  }

  /// Returns the token with the name of such a class that follows a token, perhaps with its module.
  private func setName(after index: Int, _ tokens: [Token]) -> Int? {
    var name = index + 1
    if name + 2 < tokens.count, tokens[name].isKeyword("Foundation"), tokens[name + 1].isPunctuation(".") { name += 2 }
    guard name < tokens.count, tokens[name].isName, Self.setNames.contains(tokens[name].text) else { return nil }
    let isPart = name + 1 < tokens.count && tokens[name + 1].isPunctuation(".")
    return isPart ? nil : name
  }

  /// Whether a token is the mark of an optional type whose name it follows directly.
  private func isMark(_ index: Int, _ tokens: [Token]) -> Bool {
    (tokens[index].isPunctuation("?") || tokens[index].isPunctuation("!"))
      && tokens[index].range.lowerBound == tokens[index - 1].range.upperBound
  }

  /// Whether a bracket closes the literal of an array, and not one of a dictionary, a subscript or a type.
  private func isLiteral(endingAt close: Int, _ tokens: [Token]) -> Bool {
    guard let open = opening(close, tokens) else { return false }
    if open > 0, tokens[open - 1].range.upperBound == tokens[open].range.lowerBound {
      let before = tokens[open - 1]
      if before.isName || before.kind == .literal || [")", "]", "}", ">", "?", "!"].contains(before.text) {
        return false
      }
    }
    var depth = 0
    for token in tokens[open...close] where token.kind == .punctuation {
      if ["(", "[", "{"].contains(token.text) { depth += 1 }
      if [")", "]", "}"].contains(token.text) { depth -= 1 }
      if depth == 1, token.text == ":" { return false }
    }
    return true
  }

  /// Whether nothing behind a token belongs to the same expression.
  private func isEnd(_ index: Int, _ tokens: [Token]) -> Bool {
    guard index + 1 < tokens.count else { return true }
    let next = tokens[index + 1]
    switch next.kind {
    case .punctuation: return [",", ")", "]", "}", "{", ";", "@", "#"].contains(next.text)
    case .identifier: return !["as", "is"].contains(next.text)
    case .escapedIdentifier, .literal, .directive: return true
    }
  }

  private func opening(_ close: Int, _ tokens: [Token]) -> Int? {
    guard tokens[close].isPunctuation("]") else { return nil }
    var depth = 0
    for index in (0...close).reversed() {
      if tokens[index].isPunctuation("]") { depth += 1 }
      if tokens[index].isPunctuation("[") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private func closingBracket(_ open: Int, _ tokens: [Token]) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isPunctuation("[") { depth += 1 }
      if tokens[index].isPunctuation("]") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
