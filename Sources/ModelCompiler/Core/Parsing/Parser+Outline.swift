extension Parser {
  /// Returns the bodies of a file's types and extensions. Declarations outside of all types are in a body without a
  /// path.
  static func outline(_ tokens: [Token], path: String) -> [TypeBody] {
    var parser = Parser(tokens, path: path)
    var bodies: [TypeBody] = []
    var members: [MemberOutline] = []
    while parser.current != nil { parser.outlineMembers([], &members, &bodies) }
    bodies.append(TypeBody(keyword: "", path: [], open: 0, close: tokens.count, members: members))
    return bodies
  }

  /// Reads the members up to and including the closing brace.
  private mutating func outlineMembers(
    _ path: [String], _ members: inout [MemberOutline], _ bodies: inout [TypeBody]
  ) {
    var prefix = OutlinePrefix()
    while let token = current {
      if case .directive(let directive) = token.kind {
        conditions.apply(directive, token.text)
        position += 1
        prefix = OutlinePrefix()
      } else if token.isPunctuation("}") {
        position += 1
        return
      } else if token.isPunctuation("@"), self.token(1)?.isName == true {
        prefix.start = prefix.start ?? position
        prefix.attributes.append(passAttribute())
      } else if token.kind == .identifier, !isInExpression {
        if passModifier(token, &prefix) { continue }
        outlineDeclaration(token, prefix, path, &members, &bodies)
        prefix = OutlinePrefix()
      } else {
        skipElement()
        prefix = OutlinePrefix()
      }
    }
  }

  /// Whether the current word is a part of an initial value or a type.
  private var isInExpression: Bool {
    guard let previous = token(-1), previous.kind == .punctuation else { return false }
    return [".", "=", ":", ",", "->", "&", "+", "-", "*", "/", "|", "<"].contains(previous.text)
  }

  private mutating func passAttribute() -> String {
    position += 1
    let start = position
    _ = takeName()
    while isPunctuation("."), token(1)?.isName == true { position += 2 }
    if isPunctuation("<") { skipAngles() }
    if isPunctuation("(") { skipBalanced() }
    return tokens[start..<position].map(\.text).joined()
  }

  private mutating func passModifier(_ token: Token, _ prefix: inout OutlinePrefix) -> Bool {
    let next = self.token(1)
    let isClassModifier =
      token.text == "class"
      && (["func", "var", "let", "subscript"].contains(next?.text) || Parser.isModifier(next?.text ?? ""))
    guard Parser.isModifier(token.text) || isClassModifier else { return false }
    prefix.start = prefix.start ?? position
    prefix.modifiers.append(position)
    position += 1
    if isPunctuation("(") { skipBalanced() }
    return true
  }

  private static func isModifier(_ word: String) -> Bool {
    modifiers.contains(word) || AccessLevel(keyword: word) != nil
  }

  private mutating func outlineDeclaration(
    _ token: Token, _ prefix: OutlinePrefix, _ path: [String], _ members: inout [MemberOutline],
    _ bodies: inout [TypeBody]
  ) {
    switch token.text {
    case "class", "struct", "enum", "actor", "protocol", "extension":
      outlineBody(token.text, prefix, path, &bodies)
    case "func", "init", "subscript", "deinit": members.append(outlineFunction(token.text, prefix))
    case "var", "let": members.append(outlineProperty(token.text, prefix))
    default: position += 1
    }
  }

  mutating func outlineBody(
    _ keyword: String, _ prefix: OutlinePrefix, _ path: [String], _ bodies: inout [TypeBody]
  ) {
    position += 1
    guard let name = takeName() else { return }
    var names = [name]
    while isPunctuation("."), let next = token(1), next.isName {
      names.append(next.text)
      position += 2
    }
    var body = TypeBody(keyword: keyword, path: path + names, open: 0, close: 0, conditions: conditions.active)
    body.isConstrained = isPunctuation("<")
    body.access = prefix.modifiers.compactMap { AccessLevel(keyword: tokens[$0].text) }.first
    while let token = current, !token.isPunctuation("{") {
      if token.isPunctuation("}") || token.kind == .literal { return }
      if token.isKeyword("where") { body.isConstrained = true }
      skipElement()
    }
    guard current != nil else { return }
    body.open = position
    position += 1
    outlineMembers(body.path, &body.members, &bodies)
    body.close = position - 1
    // A body that does not end is left to the compiler.
    if body.close > body.open, tokens[body.close].isPunctuation("}") { bodies.append(body) }
  }
}
