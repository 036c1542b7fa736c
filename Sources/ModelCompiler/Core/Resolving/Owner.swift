/// The class that members belong to.
struct Owner {
  var path: [String]
  var context: Nominal.Context
  var access: AccessLevel
  /// Whether the class is private, so that other files cannot name it.
  var isHidden: Bool { access <= .fileprivate }
  /// The type that generated code extends.
  var extended: String { isHidden ? "NSManagedObject" : path.map(SourceName.spelled).joined(separator: ".") }
}

extension Program {
  /// Returns the class that encloses a member.
  func owner(of member: ManagedMember) throws -> Owner {
    let container = member.info.container
    guard !member.isConstrained else { throw Obstacle(reason: "belongs to a generic class, which has no entity") }
    var path = container.path
    let context = try self.context(container, in: module)
    if module.types[path] == nil, case .type(let nominal) = context { path = nominal.path }
    if let entry = module.types[path], entry.declaration.isGeneric {
      throw Obstacle(reason: "belongs to a generic class, which has no entity")
    }
    if module.types[path] != nil, ancestry(of: path, in: module) == false {
      throw Obstacle(reason: "belongs to a class that does not descend from NSManagedObject")
    }
    return Owner(path: path, context: context, access: module.access(of: path))
  }

  /// Returns the names of the properties that a class and its superclasses declare in this module.
  func declaredProperties(of owner: Owner, in files: [ParsedFile]) -> Set<String> {
    var paths: Set<[String]> = [owner.path]
    var path = owner.path
    while case .type(let index, let ancestor)? = superclass(of: path, in: module), index === module,
      paths.insert(ancestor).inserted
    {
      path = ancestor
    }
    var names: Set<String> = []
    for member in files.flatMap(\.members) where paths.contains(member.info.container.path) {
      if case .property = member.kind { names.insert(member.info.name) }
    }
    return names
  }
}

extension Nominal {
  /// The names of the enclosing types and of the type itself.
  var path: [String] {
    if case .type(let outer) = context { return outer.path + [name] }
    return [name]
  }
}

extension ResolvedType {
  /// The modules that declare the type and its arguments.
  var modules: Set<String> {
    switch self {
    case .nominal(let nominal): [nominal.moduleName]
    case .generic(let nominal, let arguments): arguments.reduce([nominal.moduleName]) { $0.union($1.modules) }
    case .optional(let wrapped): wrapped.modules
    case .existential(let protocols): Set(protocols.map(\.moduleName))
    case .anyObject: []
    }
  }
}
