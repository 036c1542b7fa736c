extension Generator {
  /// Returns the functions behind one member, a line for each.
  mutating func functions(for member: ManagedMember, of owner: Owner, in file: ParsedFile) throws -> String {
    switch member.kind {
    case .property(let type): try propertyFunctions(member, type, of: owner, in: file)
    case .method(let parameters, let obstacle): try methodFunction(member, parameters, obstacle, of: owner, in: file)
    }
  }

  private mutating func propertyFunctions(
    _ member: ManagedMember, _ syntax: TypeSyntax, of owner: Owner, in file: ParsedFile
  ) throws -> String {
    let name = member.info.name
    let resolution = try resolve(syntax, of: member)
    let symbol = program.symbol(of: member, types: [resolution.type], owner: owner, in: file)
    let access = min(member.info.access, owner.access)
    let key = keys.constant(for: name)
    let type = resolution.spelling
    let getter = function("get", member, of: owner)
    let setter = function("set", member, of: owner)
    note(resolution.type, access: access)
    if access > .fileprivate { note(keyPath: name, of: owner.extended, conditions: member.info.conditions) }
    return """
        @_silgen_name("\(symbol)g") \(modifier(access))func \(getter)() -> \(type) { \
      \(resolution.type.isBase ? "_managedObject" : "_managedValue")(\(key)) }
        @_silgen_name("\(symbol)s") \(modifier(access))func \(setter)(_ value: __owned \(type)) { \
      _setManagedValue(value, \(key)) }

      """
  }

  /// Resolves the type of a member.
  /// - Throws: an obstacle that says what to write instead.
  private func resolve(_ syntax: TypeSyntax, of member: ManagedMember) throws -> Resolution {
    do {
      return try program.resolve(syntax, from: member.info.container, in: program.module)
    } catch var obstacle as Obstacle {
      let name = member.info.name
      // Text of the advice: the property is of this type, and another value under its key is a programming error.
      let cast =
        if case .optional(let wrapped) = syntax { "as? \(wrapped.description)" } else { "as! \(syntax.description)" }
      obstacle.reason += """
        ; write it without @NSManaged instead: var \(name): \(syntax.description) { get { value(forKey: "\(name)") \
        \(cast) } set { setValue(newValue, forKey: "\(name)") } }
        """
      throw obstacle
    }
  }

  private mutating func methodFunction(
    _ member: ManagedMember, _ parameters: [ManagedMember.Parameter], _ obstacle: String?, of owner: Owner,
    in file: ParsedFile
  ) throws -> String {
    if let obstacle { throw Obstacle(reason: "cannot be given a body: \(obstacle)") }
    guard let method = RelationshipMethod(name: member.info.name, labels: parameters.map(\.label)) else {
      throw Obstacle(reason: RelationshipMethod.unknown)
    }
    let resolutions = try parameters.map {
      try program.resolve($0.type, from: member.info.container, in: program.module)
    }
    let symbol = program.symbol(of: member, types: resolutions.map(\.type), owner: owner, in: file)
    let access = min(member.info.access, owner.access)
    for resolution in resolutions { note(resolution.type, access: access) }
    let key = keys.constant(for: method.key(among: program.declaredProperties(of: owner, in: files)))
    let declared = resolutions.enumerated().map { "_ value\($0): \($1.spelling)" }.joined(separator: ", ")
    let passed = method.labels.enumerated().map { ($1.map { "\($0): " } ?? "") + "value\($0)" }
    return """
        @_silgen_name("\(symbol)") \(modifier(access))func \(function("do", member, of: owner))(\(declared)) { \
      \(method.function)(\((passed + [key]).joined(separator: ", "))) }

      """
  }

  /// Returns the modifier that makes the symbol visible to all code that can see the declaration. `@usableFromInline`
  /// instead of `public` keeps the function's own name out of the module's interface.
  ///
  /// `@NSManaged` declarations are dynamic, and other modules refer to them as dynamic: in an optimised build the
  /// compiler crashes if the function that it finds under the symbol is not.
  private func modifier(_ access: AccessLevel) -> String {
    switch access {
    case .open, .public: "@usableFromInline dynamic "
    case .package: "package dynamic "
    case .internal, .fileprivate, .private: ""
    }
  }

  /// Returns a name that no other generated function has, so that a subclass does not seem to override a function.
  private mutating func function(_ verb: String, _ member: ManagedMember, of owner: Owner) -> String {
    let parts = [verb] + (member.info.access == .package ? [program.module.name] : []) + owner.path + [member.info.name]
    let base = "_" + parts.map(SourceName.part).joined(separator: "_")
    var name = base
    var number = 2
    while !usedNames.insert(name).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private mutating func note(_ type: ResolvedType, access: AccessLevel) {
    if access >= .package { publicModules.formUnion(type.modules) }
  }

  /// Notes a key path for the registration.
  mutating func note(keyPath name: String, of type: String, conditions: [String]) {
    var statement = Registration.keyPathStatement(type, name)
    if !conditions.isEmpty { statement = condition(conditions) + statement + "#endif\n" }
    if let index = keyPaths.firstIndex(where: { $0.type == type }) {
      keyPaths[index].statements += statement
    } else {
      keyPaths.append((type, statement))
    }
  }
}
