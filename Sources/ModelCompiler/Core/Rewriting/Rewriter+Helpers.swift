extension Rewriter {
  /// A private member that what moves into another file uses, with the token that says so.
  private typealias Helper = (member: MemberOutline, access: Int)

  /// Whether a name that is private to the file is that of helpers of the class which other files may see as well: none of
  /// them has a member of that name, and nothing in the helper's declaration is private itself.
  func canShow(_ name: String, of path: [String], in file: SourceFile, _ hidden: Set<String>) -> Bool {
    guard let helpers = helpers(name, of: path, in: file) else { return false }
    let isTaken = files.contains { other in
      other.path != file.path
        && other.bodies.contains { body in
          (body.keyword == "class" ? body.path : program.extendedClass(body.path)) == path
            && body.members.contains { $0.name == name }
        }
    }
    return !isTaken
      && helpers.allSatisfy { helper, _ in
        let declaration = helper.tokens.lowerBound..<(helper.body?.lowerBound ?? helper.tokens.upperBound)
        return !file.tokens[declaration].contains { $0.isName && $0.text != name && hidden.contains($0.text) }
      }
  }

  /// Takes `private` from the helpers of that name.
  mutating func show(_ name: String, of path: [String], in index: Int) {
    let file = files[index]
    for (_, access) in helpers(name, of: path, in: file) ?? [] {
      edits[index].blank(file.tokens[access].range)
      note("'\(name)' is not private, for what moves into another file uses it", file.tokens[access].line, file)
    }
  }

  /// The private members of that name; nil if the name is also that of something else that is private.
  private func helpers(_ name: String, of path: [String], in file: SourceFile) -> [Helper]? {
    var helpers: [Helper] = []
    for body in file.bodies {
      if body.path.last == name, body.keyword != "extension" { return nil }
      for member in body.members where member.name == name {
        guard body.access.map({ $0 > .fileprivate }) ?? true,
          (body.keyword == "class" ? body.path : program.extendedClass(body.path)) == path,
          let access = member.access(file.tokens)
        else { return nil }
        if access.level <= .fileprivate { helpers.append((member, access.token)) }
      }
    }
    return helpers.isEmpty ? nil : helpers
  }
}
