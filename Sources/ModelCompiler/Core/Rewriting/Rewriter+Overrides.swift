extension Rewriter {
  /// Moves what overrides, and what is overridden, out of extensions into the class: Swift without the Objective-C run
  /// time has no overriding there.
  mutating func moveMembers() {
    let overridden = overriddenMembers()
    var arrivals: [Int: [(brace: Int, text: String)]] = [:]
    for (index, file) in files.enumerated() {
      for body in file.bodies where body.keyword == "extension" {
        let path = program.extendedClass(body.path)
        for member in body.members {
          let isOverride = member.modifier("override", file.tokens) != nil
          guard isOverride || path.map({ mustMove(member, of: $0, in: file, overridden) }) == true else { continue }
          let name = (body.path + [spelled(member)]).joined(separator: ".")
          if let reason = obstacle(to: member, of: body, path, in: file) {
            note(
              "\(name) cannot be overridden in an extension, and stays there: \(reason)",
              file.tokens[member.keywordToken].line, file, isLeft: true)
            continue
          }
          let kind = path.flatMap(requiringClass)
          if let path, let kind, requiredInitializer(member, in: file, of: kind) != nil {
            require(member, in: index, isOpen: program.module.types[path]?.declaration.info.access == .open)
          } else if let access = body.access, member.access(file.tokens) == nil {
            edits[index].insert("\(access) ", at: file.tokens[member.keywordToken].range.lowerBound)
          }
          let text = edits[index].take(file.bytes(of: member.tokens))
          note("\(name) moves into the class", file.tokens[member.tokens.lowerBound].line, file)
          for place in places(of: path ?? [], from: index) {
            arrivals[place.file, default: []].append((place.brace, moved(text, member, from: index, to: place.file)))
            if place.file != index { borrowImports(from: index, to: place.file) }
          }
        }
      }
    }
    for (index, texts) in arrivals {
      for brace in Set(texts.map(\.brace)) {
        let text = texts.filter { $0.brace == brace }.map(\.text).joined()
        edits[index].insert(
          "\n" + text + location(index, files[index].tokens[brace].line) + files[index].indentation(of: brace),
          at: files[index].tokens[brace].range.lowerBound)
      }
    }
  }

  /// The classes' bodies, by the file and the closing brace. There may be several under different conditions.
  private func places(of path: [String], from index: Int) -> [(file: Int, brace: Int)] {
    files.enumerated().flatMap { number, file in
      file.bodies.filter { $0.keyword == "class" && $0.path == path }.map { (number, $0.close) }
    }
  }

  /// A member as it stands in its new place.
  private func moved(_ text: String, _ member: MemberOutline, from index: Int, to other: Int) -> String {
    let file = files[index]
    let first = member.tokens.lowerBound
    let place = files[other].isMain || file.isMain ? "" : location(index, file.tokens[first].line)
    let body = place + file.indentation(of: first) + text + "\n"
    guard !member.conditions.isEmpty else { return body }
    return "#if \(member.conditions.joined(separator: " && "))\n\(body)#endif\n"
  }

  /// Says where the next line comes from.
  private func location(_ index: Int, _ line: Int) -> String {
    if files[index].isMain { return "" }
    return "#sourceLocation(file: \(SourceName.quoted(files[index].path)), line: \(line))\n"
  }

  private func spelled(_ member: MemberOutline) -> String { member.name.isEmpty ? member.keyword : member.name }

  /// Whether a member that does not say `override` must be in the class all the same.
  private func mustMove(
    _ member: MemberOutline, of path: [String], in file: SourceFile, _ overridden: Set<[String]>
  ) -> Bool {
    if let kind = requiringClass(path), requiredInitializer(member, in: file, of: kind) != nil { return true }
    return overridden.contains(path + [signature(member, in: file)])
  }

  /// The members of classes that members of their subclasses override: the path, and what tells methods apart.
  private func overriddenMembers() -> Set<[String]> {
    var result: Set<[String]> = []
    for file in files {
      for body in file.bodies where ["class", "extension"].contains(body.keyword) {
        let members = body.members.filter { $0.modifier("override", file.tokens) != nil && $0.keyword != "init" }
        guard !members.isEmpty else { continue }
        let path = body.keyword == "class" ? body.path : program.extendedClass(body.path) ?? body.path
        for ancestor in program.ancestors(of: path) {
          result.formUnion(members.map { ancestor + [signature($0, in: file)] })
        }
      }
    }
    return result
  }

  private func signature(_ member: MemberOutline, in file: SourceFile) -> String {
    var text = (member.modifier("class", file.tokens) == nil ? "" : "class ") + member.keyword + " " + member.name
    if let parameters = member.parameters {
      text += "(" + labels(Array(file.tokens[parameters].dropFirst().dropLast())).joined(separator: ":") + ")"
    }
    return text
  }

  /// Why a member cannot move.
  private func obstacle(to member: MemberOutline, of body: TypeBody, _ path: [String]?, in file: SourceFile) -> String?
  {
    guard let path else { return "the class is not one of this module" }
    guard !body.isConstrained else { return "the extension is for some of the class's types alone" }
    guard member.body != nil else { return "it has no body" }
    let places = files.filter { other in other.bodies.contains { $0.keyword == "class" && $0.path == path } }
    if places.isEmpty {
      return "the class is declared in a file that is not rewritten, or generated; write it into the class, which the "
        + "model's setting \"Category/Extension\" leaves to you"
    }
    guard places.contains(where: { $0.path != file.path }) else { return nil }
    let hidden = privateNames(of: file)
    guard let name = file.tokens[member.tokens].first(where: { $0.isName && hidden.contains($0.text) }) else {
      return nil
    }
    return "it uses '\(name.text)', which is private to this file, and the class is in another one"
  }

  /// What other files cannot name.
  private func privateNames(of file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    func isPrivate(_ access: AccessLevel?) -> Bool { access.map { $0 <= .fileprivate } ?? false }
    for body in file.bodies {
      let isHidden = isPrivate(body.access)
      if isHidden, body.keyword != "extension", let name = body.path.last { names.insert(name) }
      for member in body.members where !member.name.isEmpty {
        let access = member.access(file.tokens)?.level
        if isPrivate(access) || (isHidden && access == nil) { names.insert(member.name) }
      }
    }
    for alias in file.parsed.aliases where isPrivate(alias.info.access) { names.insert(alias.info.name) }
    return names
  }
}
