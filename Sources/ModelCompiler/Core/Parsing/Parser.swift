/// Finds the declarations of a file that matter to generated code.
///
/// The parser reads types, extensions, type aliases, imports, `@NSManaged` members, and the members of classes that are
/// found by their names: methods that validate a property, properties, and methods of policies. Everything else is
/// skipped, function bodies as balanced braces. If the source does not parse, the compiler reports the error.
package struct Parser {
  var tokens: [Token]
  var position = 0
  var file: ParsedFile
  var conditions = Conditions()

  init(_ tokens: [Token], path: String) {
    self.tokens = tokens
    file = ParsedFile(path: path)
  }

  /// Returns the declarations of one file.
  package static func parse(_ source: String, path: String) -> ParsedFile {
    let tokens = Lexer.tokens(of: source)
    var file = parse(tokens, path: path)
    file.optionalRequirements = OptionalRequirement.all(in: tokens, path: path, Array(source.utf8))
    return file
  }

  static func parse(_ tokens: [Token], path: String) -> ParsedFile {
    var parser = Parser(tokens, path: path)
    while parser.current != nil { parser.parseMembers(in: Scope()) }
    return parser.file
  }

  /// The type or extension whose members are read.
  struct Scope {
    var container = Container()
    /// The access level of members that state none.
    var access = AccessLevel.internal
    var isConstrained = false
    /// `@objc extension`: the members are exposed to Objective-C.
    var isExposed = false
    /// Whether the members are isolated by an actor or a global actor, so that they cannot be used from elsewhere.
    var isIsolated = false
  }

  /// The modifiers and attributes before a declaration's keyword.
  struct Modifiers {
    var access: AccessLevel?
    var isManaged = false
    var isStatic = false
    var isOverride = false
    var attributes: [String] = []
  }

  var current: Token? { position < tokens.count ? tokens[position] : nil }
  func token(_ offset: Int) -> Token? {
    let index = position + offset
    return index >= 0 && index < tokens.count ? tokens[index] : nil
  }
  func isPunctuation(_ character: String) -> Bool { current?.isPunctuation(character) ?? false }
  func isKeyword(_ word: String) -> Bool { current?.isKeyword(word) ?? false }

  mutating func take(_ character: String) -> Bool {
    guard isPunctuation(character) else { return false }
    position += 1
    return true
  }

  mutating func takeName() -> String? {
    guard let token = current, token.isName else { return nil }
    position += 1
    return token.text
  }

  /// Reads the members up to and including the closing brace.
  mutating func parseMembers(in scope: Scope) {
    var modifiers = Modifiers()
    while let token = current {
      switch token.kind {
      case .directive(let directive):
        conditions.apply(directive, token.text)
        position += 1
      case .punctuation:
        if token.text == "}" {
          position += 1
          return
        }
        if token.text == "@" {
          parseAttribute(&modifiers)
        } else {
          modifiers = Modifiers()
          skipElement()
        }
      case .identifier:
        parseWord(token, &modifiers, in: scope)
      case .escapedIdentifier, .literal:
        modifiers = Modifiers()
        position += 1
      }
    }
  }

  private mutating func parseAttribute(_ modifiers: inout Modifiers) {
    position += 1
    let start = position
    guard let name = takeName() else { return }
    while isPunctuation("."), token(1)?.isName == true { position += 2 }
    if isPunctuation("<") { skipAngles() }
    if isPunctuation("(") { skipBalanced() }
    if name == "NSManaged" { modifiers.isManaged = true }
    modifiers.attributes.append(tokens[start..<position].map(\.text).joined())
  }

  private mutating func parseWord(_ token: Token, _ modifiers: inout Modifiers, in scope: Scope) {
    if self.token(-1)?.isPunctuation(".") == true {
      position += 1
      return
    }
    if let access = AccessLevel(keyword: token.text) {
      position += 1
      // `private(set)` restricts only the setter, whose symbol does not depend on it.
      if isPunctuation("(") { skipBalanced() } else { modifiers.access = access }
      return
    }
    if Parser.modifiers.contains(token.text) || (token.text == "class" && isClassModifier) {
      if token.text == "static" || token.text == "class" { modifiers.isStatic = true }
      if token.text == "override" { modifiers.isOverride = true }
      position += 1
      if isPunctuation("(") { skipBalanced() }
      return
    }
    parseDeclaration(token.text, modifiers, in: scope)
    modifiers = Modifiers()
  }

  private mutating func parseDeclaration(_ keyword: String, _ modifiers: Modifiers, in scope: Scope) {
    switch keyword {
    case "class", "struct", "enum", "actor", "protocol": parseType(keyword, modifiers, in: scope)
    case "extension": parseExtension(modifiers)
    case "typealias": parseAlias(modifiers, in: scope)
    case "import": parseImport(modifiers)
    case "var" where modifiers.isManaged: parseManagedProperties(modifiers, in: scope)
    case "func" where modifiers.isManaged: parseManagedMethod(modifiers, in: scope)
    case "func":
      noteValidator(modifiers, in: scope)
      noteNamedMethod(modifiers, in: scope)
      position += 2
    case "var", "let":
      noteNamedProperties(modifiers, in: scope)
      position += 2
    case "case", "associatedtype", "macro": position += 2
    default: position += 1
    }
  }

  /// Whether `class` is a modifier, as in `class func` and `class var`, also with other modifiers in between.
  private var isClassModifier: Bool {
    guard let next = token(1), next.kind == .identifier else { return false }
    return ["func", "var", "let", "subscript"].contains(next.text) || Parser.modifiers.contains(next.text)
      || AccessLevel(keyword: next.text) != nil
  }

  static let modifiers: Set = [
    "final", "override", "dynamic", "static", "lazy", "weak", "unowned", "nonisolated", "isolated", "required",
    "convenience", "mutating", "nonmutating", "optional", "indirect", "distributed", "prefix", "postfix", "infix",
    "borrowing", "consuming", "sending",
  ]

  func info(_ name: String, _ modifiers: Modifiers, line: Int, in scope: Scope) -> DeclarationInfo {
    DeclarationInfo(
      name: name, container: scope.container, access: modifiers.access ?? scope.access, conditions: conditions.active,
      line: line)
  }
}
