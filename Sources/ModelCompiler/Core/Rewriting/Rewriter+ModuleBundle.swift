extension Rewriter {
  /// Returns the text for the module's bundle at a place.
  ///
  /// A default argument that other modules see cannot name `Bundle.module`, which is internal: its file gets a variable
  /// that such an argument can name.
  mutating func moduleBundle(at position: Int, _ index: Int) -> String {
    guard isPublicDefault(position, files[index]) else { return "Bundle.module" }
    let name = "_moduleBundle_" + SourceName.part(String(files[index].parsed.name.dropLast(".swift".count)))
    bundleVariables[index] = name
    return name
  }

  /// Returns the end of a copy that has the variable with the module's bundle; empty if no default argument names it.
  func bundleVariable(_ index: Int) -> String {
    bundleVariables[index].map { "\n@usableFromInline nonisolated var \($0): Bundle { Bundle.module }\n" } ?? ""
  }

  /// Whether a token is part of a default argument that other modules see.
  private func isPublicDefault(_ position: Int, _ file: SourceFile) -> Bool {
    file.bodies.contains { body in
      body.members.contains { member in
        guard member.parameters?.contains(position) == true else { return false }
        return member.level(in: body, file.tokens) >= .public
      }
    }
  }

  /// Changes `Bundle(for:)` of the module's own classes, `Bundle(identifier:)!` and `Bundle.allBundles` to the module's
  /// bundle: what they look for are files that the target has, such as the fixtures of its tests.
  mutating func mapOwnBundles(_ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    for position in tokens.indices.dropLast(3) where tokens[position].isKeyword("Bundle") {
      let isQualified =
        position > 1 && tokens[position - 1].isPunctuation(".") && tokens[position - 2].isKeyword("Foundation")
      let first = isQualified ? position - 2 : position
      let last: Int
      var isList = false
      if isOwnClass(at: position, file), let end = closing(position + 1, tokens) {
        last = end
      } else if let end = forcedIdentifier(at: position, file) {
        last = end
      } else if tokens[position + 1].isPunctuation("."),
        ["allBundles", "allFrameworks"].contains(tokens[position + 2].text)
      {
        isList = true
        last = position + 2
      } else {
        continue
      }
      let own = moduleBundle(at: position, index)
      let range = file.bytes(of: first..<(last + 1))
      edits[index].replace(range, with: isList ? "[Bundle.main, \(own)]" : own)
      let text = file.text(position..<(last + 1))
      note("\(text) is \(isList ? "the list with " : "")Bundle.module", tokens[position].line, file)
    }
  }

  /// Warns of look-ups in the bundle of an own class, where the target has no files in a bundle.
  mutating func noteMissingBundle(_ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    for position in tokens.indices.dropLast(3) where isOwnClass(at: position, file) {
      guard let end = closing(position + 1, tokens), end + 3 < tokens.count, tokens[end + 1].isPunctuation("."),
        ["url", "urls", "path", "paths"].contains(tokens[end + 2].text), let last = closing(end + 3, tokens),
        // A model is looked for in the whole program.
        !names.isModel((end + 4)..<last, in: file) || search(at: end + 2, file) == nil
      else { continue }
      note(
        "\(file.text(position..<(end + 1))) has no files of this target, which has no resources: list them in "
          + "'resources:' of the target", tokens[position].line, file, isLeft: true)
    }
  }

  /// Whether `Bundle(for:)` at a place has a class of this module as its argument.
  private func isOwnClass(at position: Int, _ file: SourceFile) -> Bool {
    let tokens = file.tokens
    guard tokens[position].isKeyword("Bundle"), tokens[position + 1].isPunctuation("("),
      tokens[position + 2].isKeyword("for"), let end = closing(position + 1, tokens), position + 4 < end
    else { return false }
    let argument = tokens[(position + 4)..<end]
    var text = argument.map(\.text).joined()
    // `C.classForCoder()` is the class, as `C.self` is.
    let isCall = text.hasSuffix("classForCoder()")
    if isCall { text.removeLast("()".count) }
    // Inner bodies come before those that enclose them.
    let body = file.bodies.first { $0.open < position && position < $0.close && !$0.path.isEmpty }
    let itself = [
      "type(of:self)", "Self.self", "self", "self.classForCoder", "classForCoder", "object_getClass(self)!",
      "Self.classForCoder", "type(of:self).classForCoder",
    ]
    if itself.contains(text) { return body.map { isOwn($0.path, from: []) } ?? false }
    guard text.hasSuffix(isCall ? ".classForCoder" : ".self") else { return false }
    let names = argument.dropLast(isCall ? 4 : 2).filter(\.isName).map(\.text)
    return isOwn(names, from: body?.path ?? []) || file.localClasses.contains { $0.body.path == names }
  }

  private func isOwn(_ names: [String], from path: [String]) -> Bool {
    var found = program.find(names, from: Container(types: path), in: program.module)
    if case .alias(let index, let alias)? = found, case .named(let target, _) = alias.type {
      found = program.following(alias, of: index) { program.find(target, from: $0, in: index) }
    }
    guard case .type(let index, _)? = found else { return false }
    return index === program.module
  }

  /// Returns the last token of `Bundle(identifier: ...)!`, which would stop the program: a module's bundle has no
  /// identifier here. Those of Apple's frameworks stay.
  private func forcedIdentifier(at position: Int, _ file: SourceFile) -> Int? {
    let tokens = file.tokens
    guard tokens[position + 1].isPunctuation("("), tokens[position + 2].isKeyword("identifier"),
      let end = closing(position + 1, tokens), end + 1 < tokens.count, tokens[end + 1].isPunctuation("!"),
      !file.text((position + 2)..<end).contains("\"com.apple.")
    else { return nil }
    return end + 1
  }
}
