extension Rewriter {
  /// The texts to be inserted into classes, by the index of the file, each with the token of the closing brace.
  typealias Arrivals = [Int: [(brace: Int, text: String)]]

  /// Returns the files and closing braces of a class's bodies. There may be several bodies under different conditions.
  func places(of path: [String]) -> [(file: Int, brace: Int)] {
    files.enumerated().flatMap { number, file in
      file.bodies.filter { $0.keyword == "class" && $0.path == path }.map { (number, $0.close) }
    }
  }

  /// Moves a member from an extension into the class.
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

  /// Leaves a member in its extension under another name, and puts a member into the class that calls it. This is for
  /// members that use names which are private to their file. Returns false for a member that cannot be called in this
  /// way.
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

  /// Returns the arguments with which a method calls another one that has the same parameters.
  private func arguments(of member: MemberOutline, in file: SourceFile) -> String? {
    guard let range = member.parameters, file.tokens[range.lowerBound - 1].isName else { return nil }
    var parser = Parser(Array(file.tokens[range]), path: "")
    let parameters = parser.parseParameters()
    // Some of the parameters were not understood, such as one with `...`.
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

  /// Writes out the access level that the member has from its extension, and adds the modifiers that a required
  /// initialiser needs.
  private mutating func state(_ member: MemberOutline, of body: TypeBody, _ path: [String], _ index: Int) {
    let file = files[index]
    if let kind = requiringClass(path), requiredInitializer(member, in: file, of: kind) != nil {
      require(member, in: index, isOpen: program.module.types[path]?.declaration.info.access == .open)
    } else if let access = body.access, member.access(file.tokens) == nil {
      // `private` on an extension is wider than on a member of a class.
      let word = access == .private ? "fileprivate" : "\(access)"
      edits[index].insert(word + " ", at: file.tokens[member.keywordToken].range.lowerBound)
    }
  }

  /// Notes a text to be inserted into a class.
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

  /// Inserts the noted texts into the classes.
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

  /// Returns a directive that gives the origin of the next line.
  private func location(_ index: Int, _ line: Int) -> String {
    if files[index].isMain { return "" }
    return "#sourceLocation(file: \(SourceName.quoted(files[index].path)), line: \(line))\n"
  }
}
