extension Rewriter {
  /// A parameter whose value is a function, in a method or function.
  private struct BlockParameter: Hashable {
    var file: Int
    /// The first token of the type.
    var type: Int
    var method: String
    var labels: [String]
    var index: Int
  }

  /// Adds `sending` to blocks that a function passes on to a context's `perform`, which takes none without it in Swift 6
  /// mode; also in the protocols that such functions fulfil.
  mutating func sendBlocks() {
    var callees: Set = ["perform", "performBackgroundTask"]
    var marked: Set<BlockParameter> = []
    // A function may pass its block on to one that passes it on.
    for _ in 0..<8 {
      let before = marked.count
      for (index, file) in files.enumerated() {
        for member in file.bodies.flatMap(\.members) {
          for (parameter, name) in blocks(of: member, in: index)
          where !marked.contains(parameter) && passes(name, to: callees, in: member, file) {
            marked.insert(parameter)
            callees.insert(member.name)
          }
        }
      }
      if marked.count == before { break }
    }
    guard !marked.isEmpty else { return }
    for (index, file) in files.enumerated() {
      for body in file.bodies where body.keyword == "protocol" {
        for member in body.members {
          for (parameter, _) in blocks(of: member, in: index)
          where marked.contains(where: { fits(parameter, $0) }) { marked.insert(parameter) }
        }
      }
    }
    for parameter in marked {
      let token = files[parameter.file].tokens[parameter.type]
      edits[parameter.file].insert("sending ", at: token.range.lowerBound)
      note("the block is sending, as the one of perform", token.line, files[parameter.file])
    }
  }

  private func fits(_ requirement: BlockParameter, _ witness: BlockParameter) -> Bool {
    requirement.method == witness.method && requirement.labels == witness.labels && requirement.index == witness.index
  }

  /// Returns the parameters with functions that are not `Sendable` or `sending` already, each with its name in the body.
  private func blocks(
    of member: MemberOutline, in index: Int
  ) -> [(parameter: BlockParameter, name: String)] {
    let tokens = files[index].tokens
    guard member.keyword == "func", !member.name.isEmpty, let list = member.parameters,
      tokens[list.upperBound..<(member.body?.lowerBound ?? member.tokens.upperBound)].contains(where: {
        $0.isKeyword("async")
      })
    else { return [] }
    let parts = OptionalRequirement.split(list.lowerBound + 1..<list.upperBound - 1, tokens)
    let labels = parts.map { tokens[$0.lowerBound].text }
    return parts.enumerated().compactMap { number, part in
      guard let colon = part.first(where: { tokens[$0].isPunctuation(":") }), colon > part.lowerBound,
        colon + 1 < part.upperBound, tokens[part].contains(where: { $0.isPunctuation("->") }),
        !tokens[part].contains(where: { ["Sendable", "sending", "inout", "autoclosure"].contains($0.text) })
      else { return nil }
      let parameter = BlockParameter(
        file: index, type: colon + 1, method: member.name, labels: labels, index: number)
      return (parameter, tokens[colon - 1].text)
    }
  }

  /// Whether a method names a block in the arguments, or in the trailing closure, of such a call.
  private func passes(_ name: String, to callees: Set<String>, in member: MemberOutline, _ file: SourceFile) -> Bool {
    guard let body = member.body else { return false }
    let tokens = file.tokens
    return body.dropLast().contains { position in
      guard tokens[position].isName, callees.contains(tokens[position].text), !tokens[position - 1].isKeyword("func")
      else { return false }
      var parser = Parser(tokens, path: "")
      parser.position = position + 1
      if parser.isPunctuation("(") { parser.skipBalanced() }
      if parser.isPunctuation("{") { parser.skipBalanced() }
      return tokens[position + 1..<parser.position].contains { $0.isName && $0.text == name }
    }
  }
}
