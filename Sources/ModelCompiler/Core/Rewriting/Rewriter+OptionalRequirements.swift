extension Rewriter {
  /// Replaces optional methods of protocols, which do not exist without Objective-C's run time, by properties.
  ///
  /// `@objc optional func done(_ x: Int)` becomes a property that has the method, or nil: as a default in an extension of
  /// the protocol. A class that conforms and has the method gets the property, and `delegate.done?(1)` calls it.
  mutating func replaceOptionalRequirements() {
    let own = files.flatMap(\.parsed.optionalRequirements)
    let all = own + program.optionalRequirementsOfDependencies
    guard !all.isEmpty else { return }
    let types = DeclaredTypes(files)
    for (index, file) in files.enumerated() {
      for requirement in file.parsed.optionalRequirements { declare(requirement, index) }
      for body in file.bodies where ["class", "extension"].contains(body.keyword) {
        for member in body.members where member.keyword == "func" {
          for requirement in all where fulfils(member, of: body, requirement, file) {
            give(requirement, member, body, index)
          }
        }
      }
      replaceCalls(of: all, index, types)
    }
  }

  private mutating func declare(_ requirement: OptionalRequirement, _ index: Int) {
    let file = files[index]
    edits[index].overwrite(
      file.bytes(of: requirement.tokens),
      with: "var \(requirement.property): \(requirement.type) { get }")
    let access = requirement.access >= .public ? "public " : ""
    optionalDefaults[index, default: ""] +=
      "\nextension \(SourceName.spelled(requirement.owner)) {\n"
      + "  \(access)var \(requirement.property): \(requirement.type) { nil }\n}\n"
    note(
      "the optional method is the property \(requirement.property)",
      file.tokens[requirement.tokens.lowerBound].line, file)
  }

  /// Gives a class the property that has its method.
  private mutating func give(
    _ requirement: OptionalRequirement, _ member: MemberOutline, _ body: TypeBody, _ index: Int
  ) {
    let file = files[index]
    let access = member.level(in: body, file.tokens) >= .public && requirement.access >= .public ? "public " : ""
    edits[index].insert(
      "; \(access)var \(requirement.property): \(requirement.type) { \(requirement.value) }",
      at: file.tokens[member.tokens.upperBound - 1].range.upperBound)
    note("the optional method gets its property", file.tokens[member.keywordToken].line, file)
  }

  private func fulfils(
    _ member: MemberOutline, of body: TypeBody, _ requirement: OptionalRequirement,
    _ file: SourceFile
  ) -> Bool {
    guard member.name == requirement.name, let parameters = member.parameters,
      member.modifier("static", file.tokens) == nil,
      member.modifier("override", file.tokens) == nil,
      labels(Array(file.tokens[parameters].dropFirst().dropLast())) == requirement.labels,
      let path = body.keyword == "class" ? body.path : program.extendedClass(body.path)
    else { return false }
    return conforms(path, to: requirement.owner)
  }

  /// Whether a class, a superclass or a subclass in this module, or an extension of one names a protocol.
  private func conforms(_ path: [String], to name: String) -> Bool {
    let family = [path] + program.ancestors(of: path)
    return files.contains { file in
      file.bodies.contains { body in
        let start = file.tokens[..<body.open].lastIndex { $0.isKeyword(body.keyword) } ?? body.open
        guard file.tokens[start..<body.open].contains(where: { $0.isName && $0.text == name }),
          let owner = body.keyword == "class" ? body.path : program.extendedClass(body.path)
        else { return false }
        // A subclass inherits the method, and the property with it.
        return family.contains(owner) || program.ancestors(of: owner).contains(path)
      }
    }
  }

  /// Replaces `name?(label: x)` by a call of the property, which takes no labels.
  private mutating func replaceCalls(of requirements: [OptionalRequirement], _ index: Int, _ types: DeclaredTypes) {
    let file = files[index]
    let tokens = file.tokens
    let names = Set(requirements.map(\.name))
    for position in tokens.indices.dropLast(2)
    where tokens[position].isName && names.contains(tokens[position].text) {
      guard tokens[position + 1].isPunctuation("?") || tokens[position + 1].isPunctuation("!"),
        let end = closing(position + 2, tokens), position > 0,
        tokens[position - 1].isPunctuation(".")
      else { continue }
      let marks = labelMarks(position + 3..<end, tokens)
      let used = marks.map { $0 ?? "_" }
      let fitting = requirements.filter { requirement in
        requirement.name == tokens[position].text
          // The last arguments may be trailing closures.
          && Array(requirement.labels.prefix(used.count)) == used
      }
      guard
        let requirement = fitting.first(where: { $0.labels.count == used.count }) ?? fitting.first
      else { continue }
      // A block has no labels.
      if used.allSatisfy({ $0 == "_" }), isOfProperty(position, requirement, index, types) {
        continue
      }
      edits[index].replace(tokens[position].range, with: requirement.property)
      for argument in arguments(position + 3..<end, tokens) where isLabelled(argument, tokens) {
        edits[index].blank(file.bytes(of: argument.lowerBound..<argument.lowerBound + 2))
      }
      note("the call of an optional method is one of its property", tokens[position].line, file)
    }
  }

  /// Whether a call such as `x.done?()` is one of an optional block in a property of that name, which the receiver's type has.
  ///
  /// Where that type is not known, it is taken for one of the optional method.
  private func isOfProperty(
    _ position: Int, _ requirement: OptionalRequirement, _ index: Int, _ types: DeclaredTypes
  ) -> Bool {
    let file = files[index]
    let blocks = (types.members[requirement.name] ?? []).filter { member in
      guard ["var", "let"].contains(member.outline.keyword) else { return false }
      let declaration = files[member.file].tokens[member.outline.tokens]
      // A type that is left to the initial value may be any.
      return !declaration.contains { $0.isPunctuation(":") }
        || declaration.contains { $0.isPunctuation("?") || $0.isPunctuation("!") || $0.text == "Optional" }
    }
    guard !blocks.isEmpty else { return false }
    let body = file.bodies.filter { !$0.path.isEmpty && $0.open < position && position < $0.close }
      .max { $0.open < $1.open }
    let member = (body?.members ?? file.bodies.flatMap(\.members)).first { $0.body?.contains(position) == true }
    var families: [Set<[String]>] = []
    switch receiver(of: position, in: member, of: body?.path ?? [], index, types) {
    case .own, .inherited: families = [types.family(of: body?.path ?? [])]
    case .types(let known): families = known.map { types.family(of: $0) }
    case .nothing, .unknown: break
    }
    return families.contains { family in blocks.contains { family.contains($0.owner.path) } }
  }

  private func labelMarks(_ range: Range<Int>, _ tokens: [Token]) -> [String?] {
    arguments(range, tokens).map { isLabelled($0, tokens) ? tokens[$0.lowerBound].text : nil }
  }

  func isLabelled(_ argument: Range<Int>, _ tokens: [Token]) -> Bool {
    argument.count > 2 && tokens[argument.lowerBound].isName
      && tokens[argument.lowerBound + 1].isPunctuation(":")
  }

  /// Returns the tokens of each argument of a call.
  func arguments(_ range: Range<Int>, _ tokens: [Token]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var depth = 0
    var start = range.lowerBound
    for index in range where tokens[index].kind == .punctuation {
      if ["(", "[", "{"].contains(tokens[index].text) { depth += 1 }
      if [")", "]", "}"].contains(tokens[index].text) { depth -= 1 }
      guard depth == 0, tokens[index].text == "," else { continue }
      parts.append(start..<index)
      start = index + 1
    }
    return start < range.upperBound ? parts + [start..<range.upperBound] : parts
  }
}
