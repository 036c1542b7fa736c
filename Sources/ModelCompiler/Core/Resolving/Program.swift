/// A module and its dependencies, in which names are looked up.
package final class Program {
  package let module: ModuleIndex
  /// The names of the dependencies, each with a closure that parses the module: most programs never need it.
  private let dependencies: [(name: String, load: () -> [ParsedFile])]
  private var loaded: [String: ModuleIndex] = [:]
  private var resolving: Set<[String]> = []

  package init(
    module: String, files: [ParsedFile], dependencies: [(name: String, load: () -> [ParsedFile])] = []
  ) {
    self.module = ModuleIndex(name: module, files: files)
    self.dependencies = dependencies
  }

  func dependency(_ name: String) -> ModuleIndex? {
    if let index = loaded[name] { return index }
    guard let dependency = dependencies.first(where: { $0.name == name }) else { return nil }
    let index = ModuleIndex(name: name, files: dependency.load())
    loaded[name] = index
    return index
  }

  /// The optional methods of protocols in other modules, whose sources are rewritten, too.
  var optionalRequirementsOfDependencies: [OptionalRequirement] {
    dependencies.flatMap { dependency(_: $0.name)?.optionalRequirements ?? [] }.filter { $0.access >= .public }
  }

  /// The result of a look-up.
  enum Found {
    case type(ModuleIndex, path: [String])
    case alias(ModuleIndex, AliasDeclaration)
    case known(Nominal)
    case knownAlias(TypeSyntax)
  }

  /// Looks a name up as the compiler does: in the enclosing types, in the module, and in its dependencies.
  func find(_ names: [String], from container: Container, in index: ModuleIndex) -> Found? {
    if let found = findDeclared(names, from: container, in: index) { return found }
    guard let first = names.first else { return nil }
    if names.count > 1 {
      let rest = Array(names.dropFirst())
      if first == index.name { return member(rest, of: [], in: index) }
      if KnownTypes.modules.contains(first) { return findKnown(rest) }
      if let other = dependency(first) { return member(rest, of: [], in: other) }
    }
    if let found = findKnown(names) { return found }
    for dependency in dependencies where dependency.name != index.name {
      if let other = self.dependency(dependency.name), let found = member(names, of: [], in: other) { return found }
    }
    return nil
  }

  private func findKnown(_ names: [String]) -> Found? {
    guard names.count == 1, let name = names.first else { return nil }
    if let alias = KnownTypes.aliases[name] { return .knownAlias(alias) }
    return KnownTypes.nominal(name).map { .known($0) }
  }

  private func findDeclared(_ names: [String], from container: Container, in index: ModuleIndex) -> Found? {
    var types = container.types
    while true {
      if let found = member(names, of: container.extended + types, in: index) { return found }
      if types.isEmpty { break }
      types.removeLast()
    }
    return container.extended.isEmpty ? nil : member(names, of: [], in: index)
  }

  /// Finds a type among the members of another type or of its superclasses.
  private func member(_ names: [String], of path: [String], in index: ModuleIndex, depth: Int = 0) -> Found? {
    guard let first = names.first, depth < 16 else { return nil }
    let rest = Array(names.dropFirst())
    if index.types[path + [first]] != nil {
      if rest.isEmpty { return .type(index, path: path + [first]) }
      return member(rest, of: path + [first], in: index, depth: depth + 1)
    }
    if let alias = index.aliases[path + [first]] {
      if rest.isEmpty { return .alias(index, alias) }
      guard case .named(let target, _) = alias.type,
        case .type(let other, let path)? = following(alias, of: index, { find(target, from: $0, in: index) })
      else { return nil }
      return member(rest, of: path, in: other, depth: depth + 1)
    }
    guard case .type(let other, let ancestor)? = superclass(of: path, in: index) else { return nil }
    return member(names, of: ancestor, in: other, depth: depth + 1)
  }

  /// Looks up the type of an alias; returns nil if the alias leads back to itself, which the compiler reports.
  func following<Result>(
    _ alias: AliasDeclaration, of index: ModuleIndex, _ look: (Container) throws -> Result?
  ) rethrows -> Result? {
    let key = [index.name] + alias.info.container.path + [alias.info.name]
    guard resolving.insert(key).inserted else { return nil }
    defer { resolving.remove(key) }
    return try look(alias.info.container)
  }

  /// Returns the result of looking up the first name after a class's colon; nil if there is no such name or it is not
  /// found.
  func superclass(of path: [String], in index: ModuleIndex) -> Found? {
    guard let entry = index.types[path], entry.declaration.kind == .class,
      case .named(let names, _)? = entry.declaration.inherited.first
    else { return nil }
    // Looking the name up within the class itself would call this method again.
    let key = [index.name] + path
    guard resolving.insert(key).inserted else { return nil }
    defer { resolving.remove(key) }
    let found = find(names, from: entry.declaration.info.container, in: index)
    if case .alias(let other, let alias)? = found, case .named(let target, _) = alias.type {
      return find(target, from: alias.info.container, in: other)
    }
    return found
  }
}
