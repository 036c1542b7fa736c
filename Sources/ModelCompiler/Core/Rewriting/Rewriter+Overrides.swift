extension Rewriter {
  /// Moves overrides and overridden members from extensions into the class: without the Objective-C runtime, Swift has
  /// no overriding in extensions.
  mutating func moveMembers() {
    let overridden = overriddenMembers()
    var arrivals = Arrivals()
    for (index, file) in files.enumerated() {
      let hidden = privateNames(of: file)
      for body in file.bodies where body.keyword == "extension" {
        let path = program.extendedClass(body.path)
        for member in body.members {
          let isOverride = member.modifier("override", file.tokens) != nil
          guard isOverride || path.map({ mustMove(member, of: $0, in: file, overridden) }) == true else { continue }
          let name = (body.path + [spelled(member)]).joined(separator: ".")
          let line = file.tokens[member.keywordToken].line
          if let path, obstacle(to: member, of: body, path) == nil {
            let secret = isElsewhere(path, file) ? privateName(in: member, hidden, file) : nil
            if secret == nil {
              move(member, of: body, to: path, index, &arrivals)
              note("\(name) moves into the class", line, file)
              continue
            } else if forward(member, of: body, to: path, index, &arrivals) {
              note("\(name) is called by an override in the class", line, file)
              continue
            }
          }
          let reason =
            path.map {
              obstacle(to: member, of: body, $0)
                ?? "it uses what is private to this file, and the class is in another one"
            } ?? "the class is not one of this module"
          note(
            "\(name) cannot be overridden in an extension, and stays there: \(reason)", line, file, isLeft: true)
        }
      }
    }
    settle(arrivals)
  }

  private func spelled(_ member: MemberOutline) -> String { member.name.isEmpty ? member.keyword : member.name }

  /// Whether a member must be in the class although it does not say `override`.
  private func mustMove(
    _ member: MemberOutline, of path: [String], in file: SourceFile, _ overridden: Set<[String]>
  ) -> Bool {
    if let kind = requiringClass(path), requiredInitializer(member, in: file, of: kind) != nil { return true }
    // Subclasses in other modules may override the member.
    if member.modifier("open", file.tokens) != nil, ["func", "var", "subscript"].contains(member.keyword) {
      return true
    }
    return overridden.contains(path + [signature(member, in: file)])
  }

  /// Returns the members of classes that members of their subclasses override: the path of the class, and the signature
  /// of the member.
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

  /// Returns the reason why a member cannot move; nil if it can.
  private func obstacle(to member: MemberOutline, of body: TypeBody, _ path: [String]) -> String? {
    guard !body.isConstrained else { return "the extension is for some of the class's types alone" }
    guard member.body != nil else { return "it has no body" }
    guard places(of: path).isEmpty else { return nil }
    return "the class is declared in a file that is not rewritten, or generated; write it into the class, which the "
      + "model's setting \"Category/Extension\" leaves to you"
  }

  /// Whether a body of the class is in another file.
  private func isElsewhere(_ path: [String], _ file: SourceFile) -> Bool {
    places(of: path).contains { files[$0.file].path != file.path }
  }

  private func privateName(in member: MemberOutline, _ hidden: Set<String>, _ file: SourceFile) -> String? {
    file.tokens[member.tokens].first { $0.isName && hidden.contains($0.text) }?.text
  }

  /// Returns the names that other files cannot use.
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
