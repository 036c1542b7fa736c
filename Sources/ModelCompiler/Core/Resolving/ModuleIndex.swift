/// The types and aliases that one module declares.
package final class ModuleIndex {
  struct Entry {
    var declaration: TypeDeclaration
    var fileName: String
  }

  package let name: String
  private(set) var types: [[String]: Entry] = [:]
  private(set) var aliases: [[String]: AliasDeclaration] = [:]
  /// The managed properties of each class, by its path.
  private(set) var properties: [[String]: [DeclarationInfo]] = [:]
  /// The properties and methods of each class that are not managed and may be found by name, by the path of the class.
  private(set) var namedMembers: [[String]: [NamedMember]] = [:]

  /// The optional methods of the module's protocols.
  let optionalRequirements: [OptionalRequirement]

  package init(name: String, files: [ParsedFile]) {
    self.name = name
    optionalRequirements = files.flatMap(\.optionalRequirements)
    for file in files {
      for type in file.types {
        let path = type.info.container.path + [type.info.name]
        if types[path] == nil { types[path] = Entry(declaration: type, fileName: file.name) }
      }
      for member in file.members {
        if case .property = member.kind { properties[member.info.container.path, default: []].append(member.info) }
      }
      for member in file.namedMembers { namedMembers[member.info.container.path, default: []].append(member) }
      for alias in file.aliases { aliases[alias.info.container.path + [alias.info.name]] = alias }
    }
  }

  /// Returns the access level that a type has, limited by all types that enclose it; `open` if none of them is declared
  /// in this module.
  func access(of path: [String]) -> AccessLevel {
    var access = AccessLevel.open
    for count in stride(from: path.count, to: 0, by: -1) {
      if let entry = types[Array(path.prefix(count))] { access = min(access, entry.declaration.info.access) }
    }
    return access
  }

  /// Returns the discriminator of a private declaration; nil if the declaration is not private, or an enclosing type
  /// has the discriminator already.
  func discriminator(access: AccessLevel, in path: [String], fileName: String) -> String? {
    guard access <= .fileprivate, path.isEmpty || self.access(of: path) > .fileprivate else { return nil }
    return Mangler.discriminator(module: name, fileName: fileName)
  }
}
