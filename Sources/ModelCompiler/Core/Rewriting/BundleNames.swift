/// Finds the names of bundles in the files of a module, and the names of constants for the extensions of models.
struct BundleNames {
  /// The names of a file's properties, variables and parameters.
  private struct Names {
    var bundles: Set<String> = []
    var lists: Set<String> = []
    /// Names that have another meaning elsewhere in the file.
    var others: Set<String> = []
  }

  private var files: [Names] = []
  /// The names of constants for the extension of a model, such as "momd".
  private var extensions: Set<String> = []

  init(_ sources: [SourceFile]) {
    for source in sources { read(source) }
  }

  /// Whether a name means a bundle: in its own file, or in all files that have the name.
  func contains(_ name: String, in index: Int) -> Bool { contains(name, index, \.bundles) }

  /// Whether a name means an array of bundles.
  func containsList(_ name: String, in index: Int) -> Bool { contains(name, index, \.lists) }

  private func contains(_ name: String, _ index: Int, _ kind: KeyPath<Names, Set<String>>) -> Bool {
    if files[index].others.contains(name) { return false }
    if files[index][keyPath: kind].contains(name) { return true }
    return files.contains { $0[keyPath: kind].contains(name) } && !files.contains { $0.others.contains(name) }
  }

  private mutating func read(_ source: SourceFile) {
    var names = Names()
    let tokens = source.tokens
    for position in tokens.indices.dropLast(2) where tokens[position].isName {
      let name = tokens[position].text
      let value = position + 2
      if tokens[position + 1].isPunctuation(":") {
        switch tokens[value].text {
        case "Bundle" where !Self.goesOn(value, tokens): names.bundles.insert(name)
        case "["
        where value + 2 < tokens.count && tokens[value + 1].isKeyword("Bundle") && tokens[value + 2].isPunctuation("]"):
          names.lists.insert(name)
        case "Bundle": if value + 1 < tokens.count, "?!".contains(tokens[value + 1].text) { names.others.insert(name) }
        default: break
        }
      } else if tokens[position + 1].isPunctuation("="), position > 0,
        ["let", "var"].contains(tokens[position - 1].text)
      {
        if value + 2 < tokens.count, tokens[value].isKeyword("Bundle"), tokens[value + 2].isKeyword("identifier") {
          names.others.insert(name)
        } else if let end = bundle(startingAt: value, tokens), !Self.goesOn(end, tokens) {
          names.bundles.insert(name)
        } else if tokens[value].isPunctuation("["), bundle(startingAt: value + 1, tokens) != nil {
          names.lists.insert(name)
        }
      }
    }
    files.append(names)
    for position in tokens.indices where Self.isModel(tokens[position], source) {
      guard position > 1, tokens[position - 1].isPunctuation("=") else { continue }
      let isTyped = position > 3 && tokens[position - 3].isPunctuation(":")
      let name = tokens[position - (isTyped ? 4 : 2)]
      if name.isName { extensions.insert(name.text) }
    }
  }

  /// Whether an expression or a type continues after a token.
  private static func goesOn(_ position: Int, _ tokens: [Token]) -> Bool {
    guard position + 1 < tokens.count else { return false }
    return [".", "?", "!"].contains(tokens[position + 1].text)
  }

  /// Whether the arguments name the extension of a model.
  func isModel(_ arguments: Range<Int>, in source: SourceFile) -> Bool {
    arguments.contains { position in
      let token = source.tokens[position]
      if token.kind == .literal { return Self.isModel(token, source) }
      return token.isName && extensions.contains(token.text) && !source.tokens[position + 1].isPunctuation(":")
    }
  }

  private static func isModel(_ token: Token, _ source: SourceFile) -> Bool {
    guard token.kind == .literal else { return false }
    let text = String(decoding: source.bytes[token.range], as: UTF8.self)
    return ["momd", "mom", "cdm"].contains { text == "\"\($0)\"" || text.hasSuffix(".\($0)\"") }
  }

  /// Returns the last token of an expression such as `Bundle.main` or `Bundle(for: ...)`.
  func bundle(startingAt position: Int, _ tokens: [Token]) -> Int? {
    guard position + 2 < tokens.count, tokens[position].isKeyword("Bundle") else { return nil }
    if tokens[position + 1].isPunctuation(".") {
      return ["main", "allBundles", "allFrameworks"].contains(tokens[position + 2].text) ? position + 2 : nil
    }
    guard tokens[position + 1].isPunctuation("("), ["for", "identifier"].contains(tokens[position + 2].text) else {
      return nil
    }
    var depth = 0
    for index in (position + 1)..<tokens.count {
      if tokens[index].isPunctuation("(") { depth += 1 }
      if tokens[index].isPunctuation(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Returns the first token of such an expression, given its last one.
  func bundle(endingAt position: Int, _ tokens: [Token]) -> Int? {
    guard var first = tokens[...position].lastIndex(where: { $0.isKeyword("Bundle") }) else { return nil }
    // `Bundle(for: Bundle.self)`
    while bundle(startingAt: first, tokens) != position {
      guard let earlier = tokens[..<first].lastIndex(where: { $0.isKeyword("Bundle") }), position - earlier < 32 else {
        return nil
      }
      first = earlier
    }
    let isQualified = first > 1 && tokens[first - 1].isPunctuation(".") && tokens[first - 2].isKeyword("Foundation")
    return isQualified ? first - 2 : first
  }

  /// Whether the token ends `Bundle.module`.
  func isModule(_ position: Int, _ tokens: [Token]) -> Bool {
    position > 1 && tokens[position].isKeyword("module") && tokens[position - 1].isPunctuation(".")
  }

  /// Returns the tokens of an expression such as `self.bundle`, given the last one.
  func path(endingAt position: Int, _ tokens: [Token]) -> Range<Int> {
    var first = position
    while first > 1, tokens[first - 1].isPunctuation("."), tokens[first - 2].isName { first -= 2 }
    return first..<(position + 1)
  }
}
