/// What a module has in a bundle of its own.
package enum ModuleBundle: Comparable, Sendable {
  /// There is no such bundle.
  case none
  /// The bundle has files of other kinds, but no models.
  case resources
  /// The bundle has models, and perhaps other files.
  case models
}

extension Rewriter {
  /// Changes look-ups in bundles that have other contents here than on Apple's platforms.
  ///
  /// An application's files use `Bundle.main`, or the bundle of one of their classes. On this platform neither has a
  /// module's resources: they are in the bundle of the module.
  mutating func mapBundles(_ bundle: ModuleBundle) {
    let names = BundleNames(files)
    for index in files.indices {
      if bundle == .models { mapModels(names, index) } else { searchModels(names, index) }
      if bundle == .none { noteMissingBundle(names, index) } else { mapOwnBundles(index) }
    }
  }

  /// Changes look-ups of models to the bundle that has them: the bundle of the module.
  private mutating func mapModels(_ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    for position in tokens.indices.dropLast(2) where tokens[position + 1].isPunctuation("(") {
      guard let end = closing(position + 1, tokens) else { continue }
      let arguments = (position + 2)..<end
      switch tokens[position].text {
      case "url", "urls", "path", "paths":
        if names.isModel(arguments, in: file) { mapReceiver(of: position, names, index) }
      case "mergedModel", "NSMappingModel":
        if tokens[arguments].first?.isKeyword("from") == true { mapList(arguments, names, index) }
      default: break
      }
    }
  }

  /// Changes the receiver in `Bundle.main.url(...)` and similar calls.
  private mutating func mapReceiver(of method: Int, _ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    guard method > 1, tokens[method - 1].isPunctuation(".") else {
      if method > 0, !tokens[method - 1].isKeyword("func"), isInBundle(method, file) {
        let own = moduleBundle(at: method, index)
        edits[index].insert("(self == Bundle.main ? \(own) : self).", at: tokens[method].range.lowerBound)
        note("the bundle with the model is Bundle.module", tokens[method].line, file)
      }
      return
    }
    var last = method - 2
    let isOptional = tokens[last].isPunctuation("?")
    if isOptional || tokens[last].isPunctuation("!") { last -= 1 }
    if let first = names.bundle(endingAt: last, tokens) {
      // This includes the mark after an optional expression.
      edits[index].replace(file.bytes(of: first..<(method - 1)), with: moduleBundle(at: method, index))
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
        let own = moduleBundle(at: position, index)
        edits[index].replace(
          file.bytes(of: position..<(position + 2)), with: own == "Bundle.module" ? ".module" : own)
        note("the bundle with the model is Bundle.module", next.line, file)
      } else if token.isKeyword("Bundle"), let end = names.bundle(startingAt: position, tokens) {
        let isList = ["allBundles", "allFrameworks"].contains(tokens[end].text)
        let mark = tokens[end + 1].isPunctuation("!") ? end + 1 : end
        let own = moduleBundle(at: position, index)
        edits[index].replace(file.bytes(of: position..<(mark + 1)), with: isList ? "[\(own)]" : own)
        note("the bundle with the model is Bundle.module", token.line, file)
        position = mark
      } else if token.isName, ["]", ",", ")"].contains(next.text), !names.isModule(position, tokens) {
        let path = names.path(endingAt: position, tokens)
        if names.contains(token.text, in: index) {
          choose(path, index)
        } else if names.containsList(token.text, in: index) {
          let own = moduleBundle(at: position, index)
          edits[index].insert(".map { $0 == Bundle.main ? \(own) : $0 }", at: token.range.upperBound)
          note("the bundle with the model is Bundle.module", token.line, file)
        }
      }
    }
  }

  /// Replaces an expression, if its value is the main bundle, by the module's bundle.
  private mutating func choose(_ path: Range<Int>, _ index: Int) {
    let file = files[index]
    let text = file.text(path)
    let own = moduleBundle(at: path.lowerBound, index)
    edits[index].replace(file.bytes(of: path), with: "(\(text) == Bundle.main ? \(own) : \(text))")
    note(
      "the bundle with the model is Bundle.module where '\(text)' is the main one", file.tokens[path.lowerBound].line,
      file)
  }

  func isInBundle(_ position: Int, _ file: SourceFile) -> Bool {
    file.bodies.contains { body in
      body.path.last == "Bundle" && body.keyword == "extension"
        && body.members.contains {
          $0.tokens.contains(position) && $0.modifier("static", file.tokens) == nil
        }
    }
  }
}
