extension Program {
  /// Returns the parts from which the symbol of a declared type is made.
  func nominal(_ path: [String], in index: ModuleIndex) throws -> Nominal {
    guard let entry = index.types[path], let name = path.last else {
      throw Obstacle(reason: "belongs to a type whose declaration was not found: \(path.joined(separator: "."))")
    }
    let outer = Array(path.dropLast())
    let discriminator = index.discriminator(
      access: entry.declaration.info.access, in: outer, fileName: entry.fileName)
    return Nominal(
      try context(entry.declaration.info.container, in: index), name, entry.declaration.kind,
      discriminator: discriminator)
  }

  /// Returns the context of declarations in a container.
  func context(_ container: Container, in index: ModuleIndex) throws -> Nominal.Context {
    let path = container.path
    if path.isEmpty { return .module(index.name) }
    if index.types[path] != nil { return .type(try nominal(path, in: index)) }
    guard container.types.isEmpty else {
      throw Obstacle(reason: "belongs to a type whose declaration was not found: \(path.joined(separator: "."))")
    }
    switch find(container.extended, from: Container(), in: index) {
    case .type(let other, let path)?:
      let nominal = try self.nominal(path, in: other)
      return other === index ? .type(nominal) : .foreignExtension(of: nominal, module: index.name)
    case .alias(let other, let alias)?:
      guard case .named(let names, _) = alias.type else { break }
      guard other === index,
        let context = try following(alias, of: other, { _ in try context(Container(extended: names), in: index) })
      else { break }
      return context
    case .known(let nominal)?: return .foreignExtension(of: nominal, module: index.name)
    default: break
    }
    throw Obstacle(
      reason: "extends a type whose declaration was not found: \(container.extended.joined(separator: "."))")
  }

  /// Whether a class descends from NSManagedObject.
  func isManaged(_ path: [String], in index: ModuleIndex) -> Bool { ancestry(of: path, in: index) ?? false }

  /// Returns whether a class is managed; nil if a superclass cannot be found.
  func ancestry(of path: [String], in index: ModuleIndex, depth: Int = 0) -> Bool? {
    guard depth < 64, let entry = index.types[path], entry.declaration.kind == .class else { return false }
    guard case .named(let names, _)? = entry.declaration.inherited.first, let name = names.last else { return false }
    switch superclass(of: path, in: index) {
    case .type(let other, let path)?: return ancestry(of: path, in: other, depth: depth + 1)
    case .known(let nominal)?: return nominal.moduleName == "OpenCoreData" && nominal.name == "NSManagedObject"
    // Base classes in binary packages, and generated ones, are recognized by such names.
    default: return name.hasSuffix("ManagedObject") ? true : nil
    }
  }
}
