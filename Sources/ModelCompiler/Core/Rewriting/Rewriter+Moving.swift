extension Rewriter {
  /// The texts that are put into classes: by the index of the file, with the token of the closing brace.
  typealias Arrivals = [Int: [(brace: Int, text: String)]]

  /// The classes' bodies. There may be several under different conditions.
  func places(of path: [String]) -> [(file: Int, brace: Int)] {
    files.enumerated().flatMap { number, file in
      file.bodies.filter { $0.keyword == "class" && $0.path == path }.map { (number, $0.close) }
    }
  }

  /// Moves a member out of an extension.
  mutating func move(
    _ member: MemberOutline, of body: TypeBody, to path: [String], _ index: Int, _ arrivals: inout Arrivals
  ) {
    let file = files[index]
    state(member, of: body, path, index)
    let text = edits[index].take(file.bytes(of: member.tokens))
    let next = member.tokens.upperBound
    if next < file.tokens.count, file.tokens[next].isPunctuation(";") { edits[index].blank(file.tokens[next].range) }
    put(text, member, from: index, into: path, &arrivals)
    for place in places(of: path) where place.file != index { borrowImports(from: index, to: place.file) }
  }

  /// Leaves a member where it is, under another name, and puts one into the class that calls it, since the member may name
  /// declarations that are private to its file. Returns false for a member that cannot be called in this way.
  mutating func forward(
    _ member: MemberOutline, of body: TypeBody, to path: [String], _ index: Int, _ arrivals: inout Arrivals
  ) -> Bool {
    let file = files[index]
    guard let braces = member.body, !member.name.isEmpty else { return false }
    let name = (["_rewritten"] + path + [member.name]).joined(separator: "_")
    let head = file.tokens[member.tokens.lowerBound..<braces.lowerBound]
    let call: String
    if member.keyword == "func" {
      guard let arguments = arguments(of: member, in: file), !head.contains(where: { $0.isPunctuation("=") }) else {
        return false
      }
      let effects = [("try ", ["throws", "rethrows"]), ("await ", ["async"])].filter { _, words in
        head.contains { words.contains($0.text) }
      }
      call = "{ \(effects.map(\.0).joined())self.\(name)(\(arguments)) }"
    } else {
      let inner = file.tokens[braces]
      guard !inner.contains(where: { ["willSet", "didSet", "async", "throws"].contains($0.text) }) else { return false }
      let hasSetter = inner.contains { $0.isKeyword("set") }
      call = hasSetter ? "{ get { self.\(name) } set { self.\(name) = newValue } }" : "{ self.\(name) }"
    }
    state(member, of: body, path, index)
    let declared = edits[index].result(of: file.bytes(of: member.tokens.lowerBound..<braces.lowerBound))
    put(declared + " " + call, member, from: index, into: path, &arrivals)
    for place in places(of: path) where place.file != index { borrowImports(from: index, to: place.file) }
    for token in member.modifiers where ["override", "open"].contains(file.tokens[token].text) {
      edits[index].replace(file.tokens[token].range, with: file.tokens[token].text == "open" ? "public" : "")
    }
    edits[index].replace(file.tokens[member.keywordToken + 1].range, with: name)
    return true
  }

  /// The arguments with which another method with the same parameters calls the method.
  private func arguments(of member: MemberOutline, in file: SourceFile) -> String? {
    guard let range = member.parameters, file.tokens[range.lowerBound - 1].isName else { return nil }
    var parser = Parser(Array(file.tokens[range]), path: "")
    let parameters = parser.parseParameters()
    // The parameters contain something that the parser does not know, such as `...`.
    guard parser.current == nil, parameters.count == labels(Array(file.tokens[range].dropFirst().dropLast())).count,
      !file.tokens[range].indices.contains(where: {
        file.tokens[$0].isPunctuation(".") && file.tokens[$0 + 1].isPunctuation(".")
      })
    else { return nil }
    return parameters.map { parameter in
      let isReference = if case .unsupported(let text) = parameter.type { text.hasPrefix("inout") } else { false }
      return (parameter.label.map { $0 + ": " } ?? "") + (isReference ? "&" : "") + SourceName.spelled(parameter.name)
    }.joined(separator: ", ")
  }

  /// Writes the access level that the member had from its extension, and `required` if an initialiser needs it.
  private mutating func state(_ member: MemberOutline, of body: TypeBody, _ path: [String], _ index: Int) {
    let file = files[index]
    if let kind = requiringClass(path), requiredInitializer(member, in: file, of: kind) != nil {
      require(member, in: index, isOpen: program.module.types[path]?.declaration.info.access == .open)
    } else if let access = body.access, member.access(file.tokens) == nil {
      // `private` is narrower in a class than for an extension.
      let word = access == .private ? "fileprivate" : "\(access)"
      edits[index].insert(word + " ", at: file.tokens[member.keywordToken].range.lowerBound)
    }
  }

  /// Notes a text that goes into a class.
  private func put(
    _ text: String, _ member: MemberOutline, from index: Int, into path: [String], _ arrivals: inout Arrivals
  ) {
    let file = files[index]
    let first = member.tokens.lowerBound
    for place in places(of: path) {
      let origin = files[place.file].isMain || file.isMain ? "" : location(index, file.tokens[first].line)
      var lines = origin + file.indentation(of: first) + text + "\n"
      if !member.conditions.isEmpty {
        lines = "#if \(member.conditions.joined(separator: " && "))\n\(lines)#endif\n"
      }
      arrivals[place.file, default: []].append((place.brace, lines))
    }
  }

  /// Puts the noted texts into the classes.
  mutating func settle(_ arrivals: Arrivals) {
    for (index, texts) in arrivals {
      for brace in Set(texts.map(\.brace)) {
        let text = texts.filter { $0.brace == brace }.map(\.text).joined()
        edits[index].insert(
          "\n" + text + location(index, files[index].tokens[brace].line) + files[index].indentation(of: brace),
          at: files[index].tokens[brace].range.lowerBound)
      }
    }
  }

  /// A line that says where the next line comes from.
  private func location(_ index: Int, _ line: Int) -> String {
    if files[index].isMain { return "" }
    return "#sourceLocation(file: \(SourceName.quoted(files[index].path)), line: \(line))\n"
  }
}
