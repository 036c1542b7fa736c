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
      // `x ? [a] : [b] as NSSet`: the other branches have the type, too. They are looked at from the first that names it.
      guard let chain = ConditionalChain(around: open, last, tokens), chain.branches.count > 1,
        chain.branches.first(where: { $0.contains { tokens[$0].isKeyword("as") } })?.contains(index) == true
      else { return }
      wrap(chain.branches, in: tokens[name].text, tokens, file, &edits)
    } else if tokens[index - 1].isPunctuation(":"), let name = setName(after: index - 1, tokens) {
      var equals = name + 1
      if equals < tokens.count, isMark(equals, tokens) { equals += 1 }
      guard equals + 1 < tokens.count, tokens[equals].isPunctuation("=") else { return }
      let start = equals + 1
      if let close = closingBracket(start, tokens), isEnd(close, tokens) {
        return wrap([start..<close + 1], in: tokens[name].text, tokens, file, &edits)
      }
      let branches = ConditionalChain(at: start, tokens).branches
      // Where a branch names the type, all are changed from there.
      let isNamed = branches.joined().contains { tokens[$0].isKeyword("as") && setName(after: $0, tokens) != nil }
      if branches.count > 1, !isNamed { wrap(branches, in: tokens[name].text, tokens, file, &edits) }
    }
  }

  /// Makes those of the expressions that are a literal, and nothing else, calls of `NSSet(array:)`.
  private mutating func wrap(
    _ expressions: [Range<Int>], in name: String, _ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits
  ) {
    for range in expressions {
      guard let close = closingBracket(range.lowerBound, tokens), close == range.upperBound - 1,
        isLiteral(endingAt: close, tokens)
      else { continue }
      edits.insert("\(name)(array: ", at: tokens[range.lowerBound].range.lowerBound)
      edits.insert(")", at: tokens[close].range.upperBound)
      note("the literal is \(name)(array:)", tokens[range.lowerBound].line, file)
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
    var conditions = 0
    for place in open...close where tokens[place].kind == .punctuation {
      let token = tokens[place]
      if ["(", "[", "{"].contains(token.text) { depth += 1 }
      if [")", "]", "}"].contains(token.text) { depth -= 1 }
      guard depth == 1 else { continue }
      if ConditionalChain.isMark(place, tokens) { conditions += 1 }
      // The colon of `x ? y : z` makes no dictionary.
      if token.text == ":" { conditions -= 1 }
      if conditions < 0 { return false }
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

  /// Nil also where no bracket opens.
  private func closingBracket(_ open: Int, _ tokens: [Token]) -> Int? {
    guard open < tokens.count, tokens[open].isPunctuation("[") else { return nil }
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isPunctuation("[") { depth += 1 }
      if tokens[index].isPunctuation("]") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
