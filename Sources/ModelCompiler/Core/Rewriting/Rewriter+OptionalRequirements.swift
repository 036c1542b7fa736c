extension Rewriter {
  /// Replaces optional methods of protocols, which do not exist without Objective-C's run time, by properties.
  ///
  /// `@objc optional func done(_ x: Int)` becomes a property that has the method, or nil: as a default in an extension of
  /// the protocol. A class that conforms and has the method gets the property, and `delegate.done?(1)` calls it.
  mutating func replaceOptionalRequirements() {
    let own = files.flatMap(\.parsed.optionalRequirements)
    let all = own + program.optionalRequirementsOfDependencies
    guard !all.isEmpty else { return }
    for (index, file) in files.enumerated() {
      for requirement in file.parsed.optionalRequirements { declare(requirement, index) }
      for body in file.bodies where ["class", "extension"].contains(body.keyword) {
        for member in body.members where member.keyword == "func" {
          for requirement in all where fulfils(member, of: body, requirement, file) {
            give(requirement, member, body, index)
          }
        }
      }
      replaceCalls(of: all, index)
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

  /// Whether a class, a superclass in this module or an extension of one names a protocol.
  private func conforms(_ path: [String], to name: String) -> Bool {
    let family = [path] + program.ancestors(of: path)
    return files.contains { file in
      file.bodies.contains { body in
        guard let owner = body.keyword == "class" ? body.path : program.extendedClass(body.path),
          family.contains(owner)
        else { return false }
        let start = file.tokens[..<body.open].lastIndex { $0.isKeyword(body.keyword) } ?? body.open
        return file.tokens[start..<body.open].contains { $0.isName && $0.text == name }
      }
    }
  }

  /// Replaces `name?(label: x)` by a call of the property, which takes no labels.
  private mutating func replaceCalls(of requirements: [OptionalRequirement], _ index: Int) {
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
      edits[index].replace(tokens[position].range, with: requirement.property)
      for argument in arguments(position + 3..<end, tokens) where isLabelled(argument, tokens) {
        edits[index].blank(file.bytes(of: argument.lowerBound..<argument.lowerBound + 2))
      }
      note("the call of an optional method is one of its property", tokens[position].line, file)
    }
  }

  private func labelMarks(_ range: Range<Int>, _ tokens: [Token]) -> [String?] {
    arguments(range, tokens).map { isLabelled($0, tokens) ? tokens[$0.lowerBound].text : nil }
  }

  private func isLabelled(_ argument: Range<Int>, _ tokens: [Token]) -> Bool {
    argument.count > 2 && tokens[argument.lowerBound].isName
      && tokens[argument.lowerBound + 1].isPunctuation(":")
  }

  /// Returns the tokens of each argument of a call.
  private func arguments(_ range: Range<Int>, _ tokens: [Token]) -> [Range<Int>] {
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
