extension Rewriter {
  /// Returns a function for the end of a rewritten file that lists the members which other files cannot name; empty if
  /// there are no such members.
  mutating func hiddenMembers(_ index: Int) -> String {
    let file = files[index]
    let generator = Generator(program: program, files: [file.parsed])
    let hidden =
      generator.memberStatements(file.parsed, isExposedOnly: true) { min($0, $1) <= .fileprivate }
      + hiddenProperties(file.parsed)
    let reachable = hidden.filter { isReachable($0.owner) }
    guard !reachable.isEmpty else { return "" }
    let name = "_listHiddenMembers_" + SourceName.part(String(file.parsed.name.dropLast(".swift".count)))
    memberFunctions.append(name)
    let added = ImportDeclaration(access: hasExplicitImports ? .internal : nil, path: ["CoreData"])
    var text = isCoreDataImported(index) ? "\n" : "\n\(added.text)\n"
    var calls = ""
    // Extensions in the same file see the private members of their class.
    for (index, type) in distinct(reachable.map(\.owner.spelled)).enumerated() {
      let statements = reachable.filter { $0.owner.spelled == type }.map(\.statement).joined()
      text += """

        extension \(type) {
          fileprivate static func \(name)_\(index)(_ list: inout [CoreData._ClassMember]) {
        \(statements)  }
        }

        """
      calls += "  \(type).\(name)_\(index)(&list)\n"
    }
    return text + "\nfunc \(name)(_ list: inout [CoreData._ClassMember]) {\n\(calls)}\n"
  }

  /// Returns the managed properties that other files cannot name.
  private func hiddenProperties(
    _ file: ParsedFile
  ) -> [(owner: MemberOwner, access: AccessLevel, statement: String)] {
    file.members.compactMap { member in
      guard case .property = member.kind, !member.isConstrained,
        let owner = program.memberOwner(member.info.container), min(member.info.access, owner.access) <= .fileprivate
      else { return nil }
      let text = MemberStatement.property(owner.spelled, member.info.name, key: member.info.name, isExposed: false)
      let conditions = member.info.conditions
      let guarded = conditions.isEmpty ? text : "#if \(conditions.joined(separator: " && "))\n\(text)#endif\n"
      return (owner, member.info.access, guarded)
    }
  }

  /// Whether code at the file's top level can name a class, because it is not private within another type.
  private func isReachable(_ owner: MemberOwner) -> Bool {
    owner.path.count < 2
      || (2...owner.path.count).allSatisfy {
        owner.index.types[Array(owner.path.prefix($0))]?.declaration.info.access != .private
      }
  }

  private func isCoreDataImported(_ index: Int) -> Bool {
    (files[index].parsed.imports + (imports[index] ?? [])).contains {
      $0.path == ["CoreData"] && $0.scope == nil && $0.conditions.isEmpty
    }
  }

  private func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
