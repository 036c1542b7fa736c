extension Parser {
  /// Reads `var a: T`, or `var a, b: T, c: U`, where a name without a type has the type of the next name.
  mutating func parseManagedProperties(_ modifiers: Modifiers, in scope: Scope) {
    position += 1
    var waiting: [(name: Int, info: DeclarationInfo)] = []
    repeat {
      guard let token = current, token.isName else { return }
      waiting.append((position, info(token.text, modifiers, line: token.line, in: scope)))
      position += 1
      guard take(":") else { continue }
      let start = position
      let type = parseTypeSyntax()
      for (name, info) in waiting {
        var member = ManagedMember(info: info, kind: .property(type))
        member.nameToken = name
        if name == waiting.last?.name { member.typeTokens = start..<position }
        member.isEscaped = tokens[name].kind == .escapedIdentifier
        member.isConstrained = scope.isConstrained
        file.members.append(member)
      }
      waiting = []
    } while take(",")
  }

  mutating func parseManagedMethod(_ modifiers: Modifiers, in scope: Scope) {
    position += 1
    guard let token = current, token.isName else { return }
    let name = position
    position += 1
    var obstacle: String?
    if isPunctuation("<") {
      obstacle = "it is generic"
      skipAngles()
    }
    let parameters = parseParameters()
    while let word = current, word.isKeyword("async") || word.isKeyword("throws") || word.isKeyword("rethrows") {
      obstacle = "it is '\(word.text)'"
      position += 1
    }
    if take("->") {
      let result = parseTypeSyntax()
      if result != .named(["Void"], arguments: []) { obstacle = "it returns a value" }
    }
    var member = ManagedMember(
      info: info(token.text, modifiers, line: token.line, in: scope), kind: .method(parameters, obstacle: obstacle))
    (member.nameToken, member.lastToken) = (name, position - 1)
    member.isEscaped = token.kind == .escapedIdentifier
    member.isConstrained = scope.isConstrained
    file.members.append(member)
  }

  mutating func parseParameters() -> [ManagedMember.Parameter] {
    guard take("(") else { return [] }
    var parameters: [ManagedMember.Parameter] = []
    while let label = takeName() {
      let name = takeName() ?? label
      guard take(":") else { break }
      parameters.append(.init(label: label == "_" ? nil : label, name: name, type: parseTypeSyntax()))
      guard take(",") else { break }
    }
    // This skips a default value, or another part on which the body does not depend.
    while current != nil, !isPunctuation(")") { skipElement() }
    position += 1
    return parameters
  }
}
