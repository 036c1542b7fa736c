extension Parser {
  /// Reads a type.
  mutating func parseTypeSyntax() -> TypeSyntax {
    var types = [parsePostfixType()]
    while take("&") { types.append(parsePostfixType()) }
    return types.count == 1 ? types[0] : .composition(types)
  }

  private mutating func parsePostfixType() -> TypeSyntax {
    var type = parseSimpleType()
    while let token = current, token.line == self.token(-1)?.line {
      if token.isPunctuation("?") || token.isPunctuation("!") {
        position += 1
        type = .optional(type)
      } else if token.isPunctuation("->") {
        position += 1
        type = .unsupported("\(type.description) -> \(parseTypeSyntax().description)")
      } else {
        break
      }
    }
    return type
  }

  private mutating func parseSimpleType() -> TypeSyntax {
    skipTypeAttributes()
    if take("[") {
      let element = parseTypeSyntax()
      let type: TypeSyntax = take(":") ? .dictionary(element, parseTypeSyntax()) : .array(element)
      return take("]") ? type : .unsupported(type.description)
    }
    if isPunctuation("(") { return parseParentheses() }
    if isKeyword("any") {
      position += 1
      return .any(parseTypeSyntax())
    }
    if isKeyword("some") || isKeyword("inout") || isKeyword("repeat") || isKeyword("each") {
      let word = takeName() ?? ""
      return .unsupported("\(word) \(parseTypeSyntax().description)")
    }
    return parseNamedType()
  }

  /// Skips `@escaping`, `@unchecked`, `~` and similar words, which the types of managed properties do not have.
  private mutating func skipTypeAttributes() {
    while true {
      if take("@") {
        _ = takeName()
        if isPunctuation("("), token(-1)?.text != "escaping" { skipBalanced() }
      } else if take("~") {
        continue
      } else if ["__owned", "__shared", "borrowing", "consuming", "sending", "nonisolated"].contains(current?.text),
        token(1)?.isName == true
      {
        position += 1
      } else {
        return
      }
    }
  }

  /// Reads a type in parentheses: `(T)` is T; anything else in parentheses is a tuple.
  private mutating func parseParentheses() -> TypeSyntax {
    let start = position
    position += 1
    if !isPunctuation(")") {
      let type = parseTypeSyntax()
      if take(")") { return type }
    }
    position = start
    skipBalanced()
    return .unsupported(tokens[start..<position].map(\.text).joined(separator: " "))
  }

  private mutating func parseNamedType() -> TypeSyntax {
    guard let first = takeName() else { return .unsupported(current?.text ?? "") }
    var names = [first]
    var arguments: [TypeSyntax] = []
    while true {
      if take("<") {
        // These are arguments of an outer type: the symbol of a generic type's member depends on more than the names.
        if !arguments.isEmpty { return .unsupported(names.joined(separator: ".")) }
        repeat { arguments.append(parseTypeSyntax()) } while take(",")
        guard take(">") else { return .unsupported(names.joined(separator: ".")) }
      }
      guard isPunctuation("."), let next = token(1), next.isName else { break }
      if !arguments.isEmpty || next.text == "Type" || next.text == "Protocol" {
        position += 2
        return .unsupported("\(names.joined(separator: ".")).\(next.text)")
      }
      names.append(next.text)
      position += 2
    }
    return .named(names, arguments: arguments)
  }
}
