extension Rewriter {
  /// Whether a token is an argument of a macro, as of `#expect` and `#require`.
  func isInMacro(_ index: Int, _ tokens: [Token]) -> Bool {
    var depth = 0
    for position in tokens[..<index].indices.reversed() where tokens[position].kind == .punctuation {
      if [")", "]", "}"].contains(tokens[position].text) { depth += 1 }
      guard ["(", "[", "{"].contains(tokens[position].text) else { continue }
      if depth > 0 {
        depth -= 1
      } else if tokens[position].isPunctuation("("), position > 1, tokens[position - 1].isName,
        tokens[position - 2].isPunctuation("#")
      {
        return true
      }
    }
    return false
  }

  /// Replaces a cast to a fetch request in the argument of a macro by a call: a macro that takes its argument apart, as
  /// Swift Testing's do, does not know what to do with an operator of the framework's.
  mutating func rewriteMacroCast(
    at index: Int, mark: Int, _ type: Range<Int>, isOptional: Bool, operation: String, _ file: SourceFile,
    _ edits: inout SourceEdits, _ tokens: [Token]
  ) {
    let function = operation == "<~!" ? "_forcedFetchRequest" : "_fetchRequest"
    let (start, _) = chainStart(at: index, tokens)
    edits.insert("\(function)(", at: tokens[start].range.lowerBound)
    edits.replace(tokens[index - 1].range.upperBound..<tokens[mark].range.upperBound, with: ",")
    if isOptional { edits.blank(tokens[type.upperBound - 1].range) }
    let last = tokens[type.upperBound - 1].range
    edits.insert(
      ".self)" + (tokens[index].text == "is" ? " != nil" : ""), at: isOptional ? last.lowerBound : last.upperBound)
    note("the cast to a fetch request in a macro is a call of \(function)", tokens[index].line, file)
  }
}
