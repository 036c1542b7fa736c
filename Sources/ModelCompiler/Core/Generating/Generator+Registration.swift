extension Generator {
  /// Returns the file that accompanies rewritten files, in which the declarations have their bodies.
  /// - Parameter memberFunctions: the functions of the rewritten files that list members which only these files can
  ///   name.
  static func registration(
    of files: [ParsedFile], in program: Program, keys: PropertyKeys, memberFunctions: [String]
  ) -> String {
    var generator = Generator(program: program, files: files)
    generator.memberFunctions = memberFunctions
    for member in files.flatMap(\.members) {
      guard case .property = member.kind, let owner = try? program.owner(of: member),
        min(member.info.access, owner.access) > .fileprivate
      else { continue }
      generator.note(keyPath: member.info.name, of: owner.extended, conditions: member.info.conditions)
    }
    let header = "// Generated for the rewritten sources of module \(program.module.name). Do not edit.\n"
    let registration = generator.registration().text
    if keys.declarations.isEmpty, registration.isEmpty { return header }
    return [header, generator.imports(), keys.declarations, registration].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Returns the registration of the files' classes and of the key paths of their managed properties.
  mutating func registration(models: [String] = []) -> Registration {
    let classes = managedClasses()
    for declaration in classes { noteInheritedKeyPaths(declaration) }
    var registration = Registration(
      module: program.module.name, classes: statements(for: classes), keyPaths: keyPaths,
      validators: validatorStatements(), models: models)
    registration.members = memberLists()
    registration.memberFunctions = memberFunctions
    registration.policies = policyStatements()
    return registration
  }

  /// Returns statements for the validating methods of managed classes that the generated file can name.
  private func validatorStatements() -> [String] {
    var lines: [String] = []
    for method in files.flatMap(\.validators) where !method.isConstrained {
      let path = method.info.container.path
      guard program.isManaged(path, in: program.module), !isGeneric(path),
        min(method.info.access, program.module.access(of: path)) > .fileprivate
      else { continue }
      let type = path.map(SourceName.spelled).joined(separator: ".")
      let statement = Registration.validatorStatement(type, method.info.name, key: method.key)
      let conditions = method.info.conditions
      lines.append(conditions.isEmpty ? statement : condition(conditions) + statement + "#endif\n")
    }
    return lines
  }

  /// Returns the managed classes that the generated file can name.
  private func managedClasses() -> [TypeDeclaration] {
    files.flatMap(\.types).filter { declaration in
      let path = declaration.path
      return declaration.kind == .class && !isGeneric(path) && program.module.access(of: path) > .fileprivate
        && program.isManaged(path, in: program.module)
    }
  }

  /// Returns statements that list the classes, by their plain names and by the names that Objective-C would know.
  private func statements(for classes: [TypeDeclaration]) -> [String] {
    var lines: [String] = []
    for declaration in classes {
      let type = declaration.path.map(SourceName.spelled).joined(separator: ".")
      var names = [declaration.info.name]
      if let name = declaration.objectiveCName, name != names[0] { names.append(name) }
      let statement = names.map { Registration.classStatement($0, type: type) }.joined()
      let conditions = declaration.info.conditions
      let line = conditions.isEmpty ? statement : condition(conditions) + statement + "#endif\n"
      if !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// Notes the key paths of inherited properties: `\Sub.name` and `\Base.name` are different key paths.
  private mutating func noteInheritedKeyPaths(_ declaration: TypeDeclaration) {
    let type = declaration.path.map(SourceName.spelled).joined(separator: ".")
    var index = program.module
    var path = declaration.path
    for _ in 0..<64 {
      guard case .type(let other, let ancestor)? = program.superclass(of: path, in: index) else { return }
      (index, path) = (other, ancestor)
      let narrowest: AccessLevel = index === program.module ? .internal : .public
      for property in index.properties[path] ?? [] where property.access >= narrowest {
        note(keyPath: property.name, of: type, conditions: declaration.info.conditions + property.conditions)
      }
    }
  }

  private func isGeneric(_ path: [String]) -> Bool {
    (1...path.count).contains { program.module.types[Array(path.prefix($0))]?.declaration.isGeneric ?? false }
  }
}

extension TypeDeclaration {
  var path: [String] { info.container.path + [info.name] }
}
