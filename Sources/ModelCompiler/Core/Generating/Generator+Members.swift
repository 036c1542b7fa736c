extension Generator {
  /// Returns the members that the generated file can name, by class.
  func memberLists() -> [(type: String, statements: String)] {
    var lists: [(type: String, statements: String)] = []
    func add(_ statement: String, of type: String) {
      if let index = lists.firstIndex(where: { $0.type == type }) {
        if !lists[index].statements.contains(statement) { lists[index].statements += statement }
      } else {
        lists.append((type, statement))
      }
    }
    for file in files {
      for declaration in file.types { inheritedStatements(declaration).forEach { add($0.statement, of: $0.type) } }
      let listed = memberStatements(file) { min($0, $1) > .fileprivate }
      for member in listed { add(member.statement, of: member.owner.spelled) }
    }
    return lists
  }

  /// Returns the statements for inherited members. `\Sub.title` and `\Base.title` are different key paths, so both have
  /// to be listed.
  private func inheritedStatements(_ declaration: TypeDeclaration) -> [(type: String, statement: String)] {
    guard declaration.kind == .class, declaration.info.container.extended.isEmpty,
      let owner = program.memberOwner(Container(types: declaration.path)), owner.access > .fileprivate
    else { return [] }
    return program.inheritedMembers(owner).compactMap { member in
      guard !member.isConstrained, let base = program.memberOwner(member.info.container) else { return nil }
      let isExposed = isExposed(member, of: base)
      guard isExposed || owner.kind == .managed, !member.isOverride else { return nil }
      let text = MemberStatement.property(
        owner.spelled, member.info.name, key: member.objectiveCName ?? member.info.name, isExposed: isExposed)
      let conditions = declaration.info.conditions + member.info.conditions
      return (owner.spelled, conditions.isEmpty ? text : condition(conditions) + text + "#endif\n")
    }
  }

  /// Returns the members of classes that must be listed because they cannot be found by their names at run time.
  ///
  /// For managed classes these are all properties, because key-value coding reads them. For other classes they are the
  /// members that are exposed to Objective-C, and the methods of migration policies. Methods are called by their
  /// selectors.
  /// - Parameters:
  ///   - isExposedOnly: leaves out members that Objective-C would not know.
  ///   - isListed: whether a declaration with this access in a class with that access is wanted.
  func memberStatements(
    _ file: ParsedFile, isExposedOnly: Bool = false, isListed: (_ member: AccessLevel, _ type: AccessLevel) -> Bool
  ) -> [(owner: MemberOwner, access: AccessLevel, statement: String)] {
    file.namedMembers.compactMap { member in
      guard !member.isConstrained, let owner = program.memberOwner(member.info.container),
        isListed(member.info.access, owner.access), !isExposedOnly || isExposed(member, of: owner),
        let text = statement(for: member, of: owner)
      else { return nil }
      let conditions = member.info.conditions
      return (owner, member.info.access, conditions.isEmpty ? text : condition(conditions) + text + "#endif\n")
    }
  }

  private func statement(for member: NamedMember, of owner: MemberOwner) -> String? {
    let name = member.info.name
    switch member.kind {
    case .property:
      let key = member.objectiveCName ?? name
      let isExposed = isExposed(member, of: owner)
      guard owner.kind == .managed || isExposed, !member.isOverride || isExposed else { return nil }
      return MemberStatement.property(owner.spelled, name, key: key, isExposed: isExposed)
    case .classProperty:
      return MemberStatement.classMember(owner.spelled, name, isMethod: false)
    case .classMethod(let labels):
      return labels.isEmpty ? MemberStatement.classMember(owner.spelled, name, isMethod: true) : nil
    case .method(let labels):
      guard owner.kind == .policy || member.isExposed || owner.exposesMembers, !member.isOverride else { return nil }
      // Only the types could distinguish two methods with the same name.
      let namesakes = program.module.namedMembers[member.info.container.path] ?? []
      if !member.isExposed, namesakes.count(where: { $0.info.name == name && $0.kind == member.kind }) > 1 {
        return nil
      }
      let selector = member.objectiveCName ?? SelectorName.of(name, labels.map { $0 ?? "_" })
      guard selector.count(where: { $0 == ":" }) == labels.count else { return nil }
      return MemberStatement.method(owner.spelled, name, labels: labels, selector: selector)
    }
  }

  /// Whether Objective-C would see the property as an accessor: by `@objc`, by the class's `@objcMembers` if the
  /// property's type allows it, or because the property overrides such an accessor.
  private func isExposed(_ member: NamedMember, of owner: MemberOwner) -> Bool {
    if member.isExposed { return true }
    if member.isOverride { return program.inheritsManaged(member.info.name, owner) }
    return member.hasExpressibleType && owner.exposesMembers
  }

  /// Returns statements that list the migration policies, by their plain names and by the names that Objective-C would
  /// know.
  func policyStatements() -> [String] {
    files.flatMap(\.types).compactMap { declaration in
      guard declaration.kind == .class,
        let owner = program.memberOwner(Container(types: declaration.info.container.types + [declaration.info.name])),
        declaration.info.container.extended.isEmpty, owner.kind == .policy, owner.access > .fileprivate
      else { return nil }
      let names = [declaration.info.name] + [declaration.objectiveCName].compactMap { $0 }
      let text = names.map { "  list.append((\(SourceName.quoted($0)), \(owner.spelled).self))\n" }.joined()
      let conditions = declaration.info.conditions
      return conditions.isEmpty ? text : condition(conditions) + text + "#endif\n"
    }
  }
}
