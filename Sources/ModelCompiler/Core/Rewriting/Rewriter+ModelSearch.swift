extension Rewriter {
  /// The methods of the framework that look for a model in the program where the main bundle has none, by the name and
  /// the labels of the methods of Bundle.
  private static let searches: [String: String] = [
    "url(forResource:withExtension:)": "_modelURL", "url(forResource:withExtension:subdirectory:)": "_modelURL",
    "urls(forResourcesWithExtension:subdirectory:)": "_modelURLs", "path(forResource:ofType:)": "_modelPath",
    "path(forResource:ofType:inDirectory:)": "_modelPath", "paths(forResourcesOfType:inDirectory:)": "_modelPaths",
  ]

  /// Changes look-ups of models in a module that has none: a library is given the bundle, or its name, by the caller.
  ///
  /// The caller's `Bundle.main` would have the caller's model on Apple's platforms.
  mutating func searchModels(_ names: BundleNames, _ index: Int) {
    let file = files[index]
    let tokens = file.tokens
    for position in tokens.indices.dropLast(2) where tokens[position + 1].isPunctuation("(") {
      guard let end = closing(position + 1, tokens) else { continue }
      let arguments = (position + 2)..<end
      if tokens[position].isKeyword("mergedModel") || tokens[position].isKeyword("NSMappingModel") {
        searchAll(arguments, index)
      } else if names.isModel(arguments, in: file), isBundle(before: position, names, index),
        let search = search(at: position, file)
      {
        edits[index].replace(tokens[position].range, with: search)
        note(
          "the model is looked for in the program, too, where the bundle is the main one", tokens[position].line, file)
      }
    }
  }

  /// Returns the method that takes the place of the one at a token.
  func search(at position: Int, _ file: SourceFile) -> String? {
    guard let end = closing(position + 1, file.tokens) else { return nil }
    let labels = argumentLabels(Array(file.tokens[(position + 2)..<end]))
    return Self.searches["\(file.tokens[position].text)(\(labels.map { $0 + ":" }.joined()))"]
  }

  /// Returns the labels of a call's arguments.
  private func argumentLabels(_ tokens: [Token]) -> [String] {
    var labels: [String] = []
    var depth = 0
    for (index, token) in tokens.enumerated() where token.kind == .punctuation {
      if ["(", "[", "{"].contains(token.text) { depth += 1 }
      if [")", "]", "}"].contains(token.text) { depth -= 1 }
      guard depth == 0, token.text == ":", index > 0, tokens[index - 1].isName,
        index == 1 || tokens[index - 2].isPunctuation(",")
      else { continue }
      labels.append(tokens[index - 1].text)
    }
    return labels
  }

  /// Whether the receiver of a method is a bundle.
  private func isBundle(before method: Int, _ names: BundleNames, _ index: Int) -> Bool {
    let file = files[index]
    let tokens = file.tokens
    guard method > 1, tokens[method - 1].isPunctuation(".") else {
      return method > 0 && !tokens[method - 1].isKeyword("func") && isInBundle(method, file)
    }
    var last = method - 2
    if tokens[last].isPunctuation("?") || tokens[last].isPunctuation("!") { last -= 1 }
    if names.bundle(endingAt: last, tokens) != nil { return true }
    guard last > 0, tokens[last].isName, !names.isModule(last, tokens) else { return false }
    return names.contains(tokens[last].text, in: index) || (tokens[last].isKeyword("self") && isInBundle(method, file))
  }

  /// Changes `Bundle.allBundles`, an empty list on this platform, to the main bundle, which stands for the program's.
  private mutating func searchAll(_ arguments: Range<Int>, _ index: Int) {
    let file = files[index]
    for position in arguments.dropLast(2) where file.tokens[position].isKeyword("Bundle") {
      guard file.tokens[position + 1].isPunctuation("."),
        ["allBundles", "allFrameworks"].contains(file.tokens[position + 2].text)
      else { continue }
      edits[index].replace(file.bytes(of: position..<(position + 3)), with: "[Bundle.main]")
      note("the main bundle stands for all that have a model", file.tokens[position].line, file)
    }
  }
}
