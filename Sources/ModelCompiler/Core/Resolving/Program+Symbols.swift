extension Program {
  /// Returns the symbols of a member: those of getter and setter, or that of the method.
  package func symbols(of member: ManagedMember, in file: ParsedFile) throws -> [String] {
    let owner = try owner(of: member)
    func resolved(_ syntax: TypeSyntax) throws -> ResolvedType {
      try resolve(syntax, from: member.info.container, in: module).type
    }
    switch member.kind {
    case .property(let type):
      let symbol = symbol(of: member, types: [try resolved(type)], owner: owner, in: file)
      return [symbol + "g", symbol + "s"]
    case .method(let parameters, _):
      return [symbol(of: member, types: try parameters.map { try resolved($0.type) }, owner: owner, in: file)]
    }
  }

  /// Returns the symbol of a method, or of a property without the letter of the accessor.
  func symbol(of member: ManagedMember, types: [ResolvedType], owner: Owner, in file: ParsedFile) -> String {
    let discriminator = module.discriminator(access: member.info.access, in: owner.path, fileName: file.name)
    switch member.kind {
    case .property:
      return Mangler.property(
        member.info.name, discriminator: discriminator, in: owner.context, type: types.first ?? .any)
    case .method(let parameters, _):
      return Mangler.method(
        member.info.name, discriminator: discriminator, in: owner.context,
        parameters: zip(parameters, types).map { ($0.label, $1) })
    }
  }
}
