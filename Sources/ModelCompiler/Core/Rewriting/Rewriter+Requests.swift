extension Rewriter {
  /// Replaces a cast to a fetch request by an operator of the framework.
  ///
  /// On Apple's platforms all fetch requests are of one class, whatever their result type, and such a cast succeeds.
  /// Here requests with different result types are different classes. A plain `as` has the same effect on all
  /// platforms.
  mutating func rewriteCast(at index: Int, _ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    let word = tokens[index].text
    guard word == "as" || word == "is", index > 0, index + 1 < tokens.count else { return }
    var mark = index
    if word == "as" {
      mark += 1
      guard tokens[mark].isPunctuation("!") || tokens[mark].isPunctuation("?"),
        tokens[mark].range.lowerBound == tokens[index].range.upperBound
      else { return }
    } else if tokens[index - 1].isKeyword("case") || tokens[index - 1].isPunctuation(",") {
      // This is a pattern.
      return
    }
    guard var type = requestType(after: mark, tokens) else { return }
    let isForced = tokens[mark].isPunctuation("!")
    var last = type.upperBound - 1
    var isOptional = false
    if last + 1 < tokens.count, tokens[last + 1].isPunctuation("?"),
      tokens[last + 1].range.lowerBound == tokens[last].range.upperBound
    {
      // `as! NSFetchRequest<T>?`
      isOptional = true
      last += 1
    }
    type = type.lowerBound..<(last + 1)
    let operation = isForced && !isOptional ? "<~!" : "<~?"
    let before = tokens[index].range.lowerBound
    let isApart = file.bytes[before - 1] == UInt8(ascii: " ") || file.bytes[before - 1] == UInt8(ascii: "\n")
    let blank = file.bytes[tokens[mark].range.upperBound] == UInt8(ascii: " ") ? "" : " "
    edits.replace(before..<tokens[mark].range.upperBound, with: (isApart ? "" : " ") + operation + blank)
    let end = tokens[last].range.upperBound
    if isOptional { edits.blank(tokens[last].range) }
    // Operators of this kind cannot be next to other casts without parentheses.
    let (start, isBehindCast) = chainStart(at: index, tokens)
    let isBeforeCast = last + 1 < tokens.count && (tokens[last + 1].isKeyword("as") || tokens[last + 1].isKeyword("is"))
    if isBehindCast {
      edits.insert("(", at: tokens[start].range.lowerBound)
      edits.insert(")", at: tokens[index - 1].range.upperBound)
    }
    if isBeforeCast { edits.insert("(", at: tokens[start].range.lowerBound) }
    let position = isOptional ? tokens[last].range.lowerBound : end
    edits.insert(".self" + (word == "is" ? " != nil" : "") + (isBeforeCast ? ")" : ""), at: position)
    note(
      "the \(word == "is" ? "test for" : "cast to") a fetch request is the operator \(operation)", tokens[index].line,
      file)
  }

  /// Returns the tokens of `NSFetchRequest<...>`, or of an alias of it, that follow a token.
  private func requestType(after index: Int, _ tokens: [Token]) -> Range<Int>? {
    var parser = Parser(tokens, path: "")
    parser.position = index + 1
    guard let first = parser.current, first.isName else { return nil }
    while let token = parser.token(1), token.isPunctuation("."), parser.token(2)?.isName == true {
      parser.position += 2
    }
    guard parser.current?.isName == true else { return nil }
    if parser.isKeyword("NSFetchRequest") {
      parser.position += 1
      guard parser.isPunctuation("<") else { return nil }
      parser.skipAngles()
      return (index + 1)..<parser.position
    }
    parser.position += 1
    guard !parser.isPunctuation("<"), isRequestAlias(tokens[(index + 1)..<parser.position].filter(\.isName).map(\.text))
    else { return nil }
    return (index + 1)..<parser.position
  }

  /// Whether a name is an alias of NSFetchRequest. Aliases may also be members of generic classes, so only the name
  /// counts, and it must have this meaning everywhere.
  private func isRequestAlias(_ names: [String]) -> Bool {
    let targets = files.flatMap(\.parsed.aliases).filter { $0.info.name == names.last }.map(\.type)
    return !targets.isEmpty
      && targets.allSatisfy { if case .named(let target, _) = $0 { target.last == "NSFetchRequest" } else { false } }
  }

  /// Returns the first token of the expression that is cast, including earlier casts of it, and whether there are
  /// earlier casts.
  private func chainStart(at index: Int, _ tokens: [Token]) -> (token: Int, isBehindCast: Bool) {
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
