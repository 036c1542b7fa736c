extension Rewriter {
  /// Removes `@objc` or `@objc(name)`, and replaces its effect on a protocol.
  mutating func removeAttribute(at index: Int, _ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    var last = index + 1
    // In `@objc (A, B)` the parentheses do not belong to the attribute.
    if last + 1 < tokens.count, tokens[last + 1].range.lowerBound == tokens[last].range.upperBound,
      let end = closing(last + 1, tokens)
    {
      last = end
    }
    edits.blank(tokens[index].range.lowerBound..<tokens[last].range.upperBound)
    guard let keyword = declaration(after: last, tokens) else { return }
    switch tokens[keyword].text {
    case "optional" where !file.parsed.optionalRequirements.contains { $0.tokens.contains(keyword) }:
      report(
        "an optional property does not exist without Objective-C; leave out '@objc optional' and give it a default "
          + "in an extension of the protocol", tokens[keyword].line, file)
    case "protocol": makeClassBound(keyword, tokens, &edits)
    default: break
    }
  }

  /// Returns the first word after attributes and access levels.
  private func declaration(after index: Int, _ tokens: [Token]) -> Int? {
    var index = index + 1
    while index < tokens.count {
      if tokens[index].isPunctuation("@") {
        index += 2
        if index < tokens.count, tokens[index].isPunctuation("("), let end = closing(index, tokens) { index = end + 1 }
      } else if AccessLevel(keyword: tokens[index].text) != nil || tokens[index].isKeyword("dynamic") {
        index += 1
      } else {
        return index
      }
    }
    return nil
  }

  /// Makes a protocol class-bound: only classes can conform to an `@objc protocol`, and weak references to it are
  /// allowed.
  private func makeClassBound(_ keyword: Int, _ tokens: [Token], _ edits: inout SourceEdits) {
    guard keyword + 2 < tokens.count, tokens[keyword + 1].isName else { return }
    let name = tokens[keyword + 1]
    if tokens[keyword + 2].isPunctuation(":") {
      edits.insert(" AnyObject,", at: tokens[keyword + 2].range.upperBound)
    } else {
      edits.insert(": AnyObject", at: name.range.upperBound)
    }
  }
}
