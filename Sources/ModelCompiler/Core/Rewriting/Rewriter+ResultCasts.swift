extension Rewriter {
  /// Returns the tokens of `NSFetchRequestResult` or `any NSFetchRequestResult` that follow a token, if nothing else
  /// belongs to the type.
  func resultType(after index: Int, _ tokens: [Token]) -> Range<Int>? {
    var position = index + 1
    if position < tokens.count, tokens[position].isKeyword("any") { position += 1 }
    if position + 2 < tokens.count, tokens[position].isName, tokens[position + 1].isPunctuation(".") { position += 2 }
    guard position < tokens.count, tokens[position].isKeyword("NSFetchRequestResult") else { return nil }
    let next = position + 1 < tokens.count ? tokens[position + 1] : nil
    let isConjunction = position + 2 < tokens.count && tokens[position + 2].isPunctuation("&")
    if let next, next.isPunctuation(".") || (next.isPunctuation("&") && !isConjunction) { return nil }
    // `as? NSFetchRequestResult?`, but not the first mark of `??`.
    if let next, next.isPunctuation("?"), next.range.lowerBound == tokens[position].range.upperBound { return nil }
    return (index + 1)..<(position + 1)
  }

  /// Replaces `as? NSFetchRequestResult` by a cast that the compiler allows: the protocol exists for the compiler alone,
  /// and any value is one.
  mutating func rewriteResultCast(
    at index: Int, _ type: Range<Int>, _ file: SourceFile, _ edits: inout SourceEdits, _ tokens: [Token]
  ) {
    let isTest = tokens[index].text == "is"
    // `as! NSFetchRequestResult` is allowed.
    guard isTest || tokens[index + 1].isPunctuation("?") else { return }
    edits.replace(tokens[index].range.lowerBound..<tokens[type.lowerBound - 1].range.upperBound, with: "as!")
    let isAny = tokens[type.lowerBound].isKeyword("any")
    if isAny { edits.insert("(", at: tokens[type.lowerBound].range.lowerBound) }
    edits.insert(
      (isAny ? ")?" : "?") + (isTest ? " != nil" : ""), at: tokens[type.upperBound - 1].range.upperBound)
    note("the cast to NSFetchRequestResult, which any value passes, is as!", tokens[index].line, file)
  }
}
