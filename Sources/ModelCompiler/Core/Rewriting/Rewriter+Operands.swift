extension Rewriter {
  /// Returns the first token of the expression that is cast, including earlier casts of it, and whether there are
  /// earlier casts.
  func chainStart(at index: Int, _ tokens: [Token]) -> (token: Int, isBehindCast: Bool) {
    var start = operandStart(before: index, tokens) ?? index - 1
    var isBehindCast = false
    while start > 1 {
      var cast = start - 1
      if tokens[cast].isPunctuation("!") || tokens[cast].isPunctuation("?") { cast -= 1 }
      guard cast > 0, tokens[cast].isKeyword("as"), let earlier = operandStart(before: cast, tokens) else { break }
      start = earlier
      isBehindCast = true
    }
    return (start, isBehindCast)
  }

  /// Returns the first token of the postfix expression, or of the type, that ends before a token.
  private func operandStart(before index: Int, _ tokens: [Token]) -> Int? {
    var start: Int?
    var position = index - 1
    while position >= 0 {
      let token = tokens[position]
      if token.kind == .punctuation, let opener = [")": "(", "]": "[", "}": "{", ">": "<"][token.text] {
        var depth = 0
        while position >= 0 {
          if tokens[position].isPunctuation(token.text) { depth += 1 }
          if tokens[position].isPunctuation(opener) { depth -= 1 }
          if depth == 0 { break }
          position -= 1
        }
        // There is no matching opening bracket.
        guard position >= 0 else { return start }
        start = position
        // A name or expression directly before the bracket is called, subscripted or given arguments.
        let previous = position > 0 ? tokens[position - 1] : nil
        guard let previous,
          previous.range.upperBound == tokens[position].range.lowerBound
            || (opener == "{" && previous.line == tokens[position].line),
          previous.isName || [")", "]", ">", "?", "!"].contains(previous.text), !Self.isStatement(previous)
        else { return start }
        position -= 1
      } else if token.isPunctuation("?") || token.isPunctuation("!") {
        guard position > 0, tokens[position - 1].range.upperBound == token.range.lowerBound else { return start }
        position -= 1
      } else if token.isName || token.kind == .literal {
        if Self.isStatement(token) { return start }
        start = position
        guard position > 0, tokens[position - 1].isPunctuation(".") else { return start }
        position -= 1
        start = position
        // This is either `.name` by itself, or a member of the expression before it.
        guard position > 0,
          tokens[position - 1].kind != .punctuation
            || [")", "]", "}", ">", "?", "!"].contains(tokens[position - 1].text)
        else { return start }
        position -= 1
      } else {
        return start
      }
    }
    return start
  }

  private static func isStatement(_ token: Token) -> Bool {
    token.kind == .identifier
      && ["return", "in", "case", "try", "await", "if", "while", "guard", "where", "as", "is", "throw", "else"]
        .contains(token.text)
  }
}
