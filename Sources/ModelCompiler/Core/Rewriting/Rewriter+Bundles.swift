extension Rewriter {
  /// Changes look-ups of models to the bundle that has them: the bundle of the module.
  ///
  /// An application's files use `Bundle.main`, or the bundle of one of their classes. On this platform neither has a
  /// module's resources. Only look-ups of models are changed, because the module's bundle has no other files of the
  /// application.
  mutating func mapBundles() {
    let names = BundleNames(files)
    for (index, file) in files.enumerated() {
      let tokens = file.tokens
      for position in tokens.indices.dropLast(2) where tokens[position + 1].isPunctuation("(") {
        guard let end = closing(position + 1, tokens) else { continue }
        let arguments = (position + 2)..<end
        let isPublic = isPublicDefault(position, file)
        switch tokens[position].text {
        case "url", "urls", "path", "paths":
          guard names.isModel(arguments, in: file) else { continue }
          if isPublic { noteDefault(position, file) } else { mapReceiver(of: position, names, index) }
        case "mergedModel", "NSMappingModel":
          guard tokens[arguments].first?.isKeyword("from") == true else { continue }
          if isPublic { noteDefault(position, file) } else { mapList(arguments, names, index) }
        default: break
        }
      }
    }
  }

  /// Changes the receiver in `Bundle.main.url(...)` and similar calls.
  private mutating func mapReceiver(of method: Int, _ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    guard method > 1, tokens[method - 1].isPunctuation(".") else {
      if method > 0, !tokens[method - 1].isKeyword("func"), isInBundle(method, file) {
        edits[index].insert("(self == Bundle.main ? Bundle.module : self).", at: tokens[method].range.lowerBound)
        note("the bundle with the model is Bundle.module", tokens[method].line, file)
      }
      return
    }
    var last = method - 2
    let isOptional = tokens[last].isPunctuation("?")
    if isOptional || tokens[last].isPunctuation("!") { last -= 1 }
    if let first = names.bundle(endingAt: last, tokens) {
      // This includes the mark after an optional expression.
      edits[index].replace(file.bytes(of: first..<(method - 1)), with: "Bundle.module")
      return note("the bundle with the model is Bundle.module", tokens[method].line, file)
    }
    guard last > 0, tokens[last].isName, !names.isModule(last, tokens) else { return }
    let isSelf = tokens[last].isKeyword("self") && isInBundle(method, file)
    guard !isOptional, last == method - 2, isSelf || names.contains(tokens[last].text, in: index) else {
      return note(
        "a model is looked up in '\(tokens[last].text)', which is not known to be a bundle: Bundle.main has no models "
          + "of this module, Bundle.module has", tokens[method].line, file,
        isLeft: !names.contains(tokens[last].text, in: index))
    }
    choose(names.path(endingAt: last, tokens), index)
  }

  /// Changes `[Bundle.main]` and other arguments that name the bundles in which a method looks for models.
  private mutating func mapList(_ arguments: Range<Int>, _ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    var position = arguments.lowerBound
    while position < arguments.upperBound {
      let token = tokens[position]
      let next = tokens[position + 1]
      defer { position += 1 }
      if next.isPunctuation(":"), token.isName, !token.isKeyword("from") { return }
      if token.isPunctuation("."), next.isKeyword("main"), ["[", ",", ":", "("].contains(tokens[position - 1].text) {
        edits[index].replace(next.range, with: "module")
        note("the bundle with the model is Bundle.module", next.line, file)
      } else if token.isKeyword("Bundle"), let end = names.bundle(startingAt: position, tokens) {
        let isList = ["allBundles", "allFrameworks"].contains(tokens[end].text)
        let mark = tokens[end + 1].isPunctuation("!") ? end + 1 : end
        edits[index].replace(file.bytes(of: position..<(mark + 1)), with: isList ? "[Bundle.module]" : "Bundle.module")
        note("the bundle with the model is Bundle.module", token.line, file)
        position = mark
      } else if token.isName, ["]", ",", ")"].contains(next.text), !names.isModule(position, tokens) {
        let path = names.path(endingAt: position, tokens)
        if names.contains(token.text, in: index) {
          choose(path, index)
        } else if names.containsList(token.text, in: index) {
          edits[index].insert(
            ".map { $0 == Bundle.main ? Bundle.module : $0 }", at: token.range.upperBound)
          note("the bundle with the model is Bundle.module", token.line, file)
        }
      }
    }
  }

  /// Replaces an expression, if its value is the main bundle, by the module's bundle.
  private mutating func choose(_ path: Range<Int>, _ index: Int) {
    let file = files[index]
    let text = file.text(path)
    edits[index].replace(file.bytes(of: path), with: "(\(text) == Bundle.main ? Bundle.module : \(text))")
    note(
      "the bundle with the model is Bundle.module where '\(text)' is the main one", file.tokens[path.lowerBound].line,
      file)
  }

  private func isInBundle(_ position: Int, _ file: SourceFile) -> Bool {
    file.bodies.contains { body in
      body.path.last == "Bundle" && body.keyword == "extension"
        && body.members.contains {
          $0.tokens.contains(position) && $0.modifier("static", file.tokens) == nil
        }
    }
  }

  /// Whether a token is part of a default argument that other modules see.
  private func isPublicDefault(_ position: Int, _ file: SourceFile) -> Bool {
    file.bodies.contains { body in
      body.members.contains { member in
        guard member.parameters?.contains(position) == true else { return false }
        return (member.access(file.tokens)?.level ?? body.access ?? .internal) >= .public
      }
    }
  }

  private mutating func noteDefault(_ position: Int, _ file: SourceFile) {
    note(
      "a model is looked up in a public default argument, which cannot name Bundle.module, where the model is",
      file.tokens[position].line, file, isLeft: true)
  }
}
