extension Parser {
  mutating func parseType(_ keyword: String, _ modifiers: Modifiers, in scope: Scope) {
    let line = current?.line ?? 0
    position += 1
    // `actor` and the other words may be names of something else: in a declaration, a name and one of these tokens
    // follow.
    guard let name = current, name.isName, let next = token(1),
      ["{", ":", "<", "where"].contains(next.text), next.kind == .punctuation || next.kind == .identifier
    else { return }
    position += 1
    var declaration = TypeDeclaration(
      info: info(name.text, modifiers, line: line, in: scope), kind: Parser.kinds[keyword] ?? .class)
    if isPunctuation("<") {
      declaration.isGeneric = true
      skipAngles()
    }
    declaration.objectiveCName = modifiers.attributes.first { $0.hasPrefix("objc(") }
      .map { String($0.dropFirst("objc(".count).dropLast()) }
    declaration.exposesMembers = modifiers.attributes.contains("objcMembers")
    declaration.inherited = parseInheritance()
    _ = skipToBody()
    file.types.append(declaration)
    guard take("{") else { return }
    var inner = Scope(container: scope.container)
    inner.container.types.append(name.text)
    inner.isConstrained = scope.isConstrained || declaration.isGeneric
    inner.isIsolated = scope.isIsolated || keyword == "actor" || Parser.isIsolated(modifiers)
    parseMembers(in: inner)
  }

  private static let kinds: [String: NominalKind] = [
    "class": .class, "actor": .class, "struct": .structure, "enum": .enumeration, "protocol": .protocol,
  ]

  mutating func parseExtension(_ modifiers: Modifiers) {
    position += 1
    guard current?.isName == true, case .named(let names, let arguments) = parseTypeSyntax() else { return }
    _ = parseInheritance()
    let isConstrained = skipToBody() || !arguments.isEmpty
    guard take("{") else { return }
    parseMembers(
      in: Scope(
        container: Container(extended: names), access: modifiers.access ?? .internal, isConstrained: isConstrained,
        isExposed: modifiers.attributes.contains("objc"), isIsolated: Parser.isIsolated(modifiers)))
  }

  private mutating func parseInheritance() -> [TypeSyntax] {
    guard take(":") else { return [] }
    var types: [TypeSyntax] = []
    repeat { types.append(parseTypeSyntax()) } while take(",")
    return types
  }

  /// Skips a `where` clause; returns whether there is one.
  private mutating func skipToBody() -> Bool {
    guard isKeyword("where") else { return false }
    while let token = current, !token.isPunctuation("{"), !token.isPunctuation("}") {
      if token.isPunctuation("(") || token.isPunctuation("[") { skipBalanced() } else { position += 1 }
    }
    return true
  }

  mutating func parseAlias(_ modifiers: Modifiers, in scope: Scope) {
    let line = current?.line ?? 0
    position += 1
    guard let name = takeName() else { return }
    if isPunctuation("<") { return skipAngles() }
    guard take("=") else { return }
    let type = parseTypeSyntax()
    file.aliases.append(AliasDeclaration(info: info(name, modifiers, line: line, in: scope), type: type))
  }

  mutating func parseImport(_ modifiers: Modifiers) {
    position += 1
    guard var first = takeName() else { return }
    var declaration = ImportDeclaration(path: [], conditions: conditions.active)
    declaration.attributes = modifiers.attributes.filter { $0 == "testable" || $0.hasPrefix("_spi") }
    declaration.access = modifiers.access
    if ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"].contains(first),
      let next = current, next.isName, next.line == token(-1)?.line
    {
      declaration.scope = first
      first = next.text
      position += 1
    }
    declaration.path = [first]
    while isPunctuation("."), let next = token(1), next.isName {
      declaration.path.append(next.text)
      position += 2
    }
    file.imports.append(declaration)
  }
}
