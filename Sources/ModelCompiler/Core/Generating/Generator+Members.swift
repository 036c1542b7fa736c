extension Generator {
  /// The members that the generated file can name, by class.
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

  /// `\Sub.title` is another key path than `\Base.title`, so that its name has to be listed, too.
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

  /// The members of classes that have to be listed, because their names do not lead to them at run time.
  ///
  /// For managed classes these are all properties, since key-value coding reads them; for other classes the members that are
  /// exposed to Objective-C, and the methods of migration policies. Methods are called by their selectors.
  /// - Parameters:
  ///   - isExposedOnly: leaves out members that Objective-C would not know.
  ///   - isListed: whether a declaration with that access in a class with that access is listed.
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
      // Methods with the same name differ only in their types, which are not known here.
      let namesakes = program.module.namedMembers[member.info.container.path] ?? []
      if !member.isExposed, namesakes.count(where: { $0.info.name == name && $0.kind == member.kind }) > 1 {
        return nil
      }
      let selector = member.objectiveCName ?? SelectorName.of(name, labels.map { $0 ?? "_" })
      guard selector.count(where: { $0 == ":" }) == labels.count else { return nil }
      return MemberStatement.method(owner.spelled, name, labels: labels, selector: selector)
    }
  }

  /// Whether the property is an accessor in Objective-C: by `@objc`, by the class's `@objcMembers` if its type allows it, or
  /// because it overrides one that is.
  private func isExposed(_ member: NamedMember, of owner: MemberOwner) -> Bool {
    if member.isExposed { return true }
    if member.isOverride { return program.inheritsManaged(member.info.name, owner) }
    return member.hasExpressibleType && owner.exposesMembers
  }

  /// The migration policies by their bare name and the one that Objective-C would know.
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
