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
    if let type = resultType(after: mark, tokens) { return rewriteResultCast(at: index, type, file, &edits, tokens) }
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
    if isInMacro(index, tokens) {
      return rewriteMacroCast(
        at: index, mark: mark, type, isOptional: isOptional, operation: operation, file, &edits, tokens)
    }
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
}
