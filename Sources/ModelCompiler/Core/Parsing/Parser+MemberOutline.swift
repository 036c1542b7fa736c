extension Parser {
  /// Reads a method, subscript or initialiser with its body.
  mutating func outlineFunction(_ keyword: String, _ prefix: OutlinePrefix) -> MemberOutline {
    var member = outlineMember(keyword, prefix)
    position += 1
    if keyword == "func", current?.isName == true { member.name = takeName() ?? "" }
    while let token = current, !token.isPunctuation("("), !token.isPunctuation("{"), !token.isPunctuation("}") {
      if token.isPunctuation("<"), !member.name.isEmpty || keyword != "func" { skipAngles() } else { position += 1 }
    }
    if isPunctuation("(") {
      let start = position
      skipBalanced()
      member.parameters = start..<position
    }
    while let token = current, !token.isPunctuation("}"), !beginsDeclaration(token) {
      let start = position
      skipElement()
      guard token.isPunctuation("{") else { continue }
      member.body = start..<position
      break
    }
    member.tokens = member.tokens.lowerBound..<position
    return member
  }

  /// Reads the names, the type and the accessors of a property; the caller skips the text after `=`.
  mutating func outlineProperty(_ keyword: String, _ prefix: OutlinePrefix) -> MemberOutline {
    var member = outlineMember(keyword, prefix)
    position += 1
    member.name = current?.isName == true ? current?.text ?? "" : ""
    var isSet = true
    repeat {
      skipElement()
      var isOptional = false
      if take(":") {
        if case .optional = parseTypeSyntax() { isOptional = true }
      }
      if isPunctuation("=") { break }
      isSet = isSet && isOptional && keyword == "var"
    } while take(",")
    var isStored = true
    if isPunctuation("{") {
      isStored = ["willSet", "didSet"].contains(firstAccessor)
      let start = position
      skipBalanced()
      member.body = start..<position
    }
    let isOutside = ["static", "class", "lazy"].contains { member.modifier($0, tokens) != nil }
    // A wrapper with arguments creates the value from them.
    let isGiven = member.attributes.contains { $0 == "NSManaged" || ($0.hasSuffix(")") && !$0.hasPrefix("objc")) }
    member.needsValue = isStored && !isSet && !isOutside && !isGiven
    member.tokens = member.tokens.lowerBound..<position
    return member
  }

  private func outlineMember(_ keyword: String, _ prefix: OutlinePrefix) -> MemberOutline {
    let start = prefix.start ?? position
    return MemberOutline(
      keyword: keyword, keywordToken: position, tokens: start..<position, modifiers: prefix.modifiers,
      attributes: prefix.attributes, conditions: conditions.active)
  }

  /// The first word between the braces of a property, after attributes.
  private var firstAccessor: String {
    var offset = 1
    while let token = token(offset), token.isPunctuation("@") { offset += 2 }
    return token(offset)?.text ?? ""
  }

  /// Whether this token begins another declaration, so that a method without a body has ended.
  private func beginsDeclaration(_ token: Token) -> Bool {
    if case .directive = token.kind { return true }
    guard token.line > self.token(-1)?.line ?? 0 else { return token.isPunctuation(";") }
    return token.isPunctuation("@") || Parser.modifiers.contains(token.text) || AccessLevel(keyword: token.text) != nil
      || [
        "func", "init", "subscript", "deinit", "var", "let", "case", "class", "struct", "enum", "typealias",
        "associatedtype",
      ].contains(token.text)
  }
}

/// The part of a declaration before its keyword.
struct OutlinePrefix {
  var start: Int?
  var modifiers: [Int] = []
  var attributes: [String] = []
}
