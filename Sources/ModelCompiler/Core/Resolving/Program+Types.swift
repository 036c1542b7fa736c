/// The reason why no code is generated for a declaration.
package struct Obstacle: Error, Equatable {
  package var reason: String
}

/// A resolved type: the type itself, on which the symbol depends, and its spelling in the generated file.
package struct Resolution {
  var type: ResolvedType
  var spelling: String
  /// Whether the type is a private class, which the generated file cannot name and spells as its base.
  var isHidden = false
}

extension Program {
  /// Resolves a type that is written in a container.
  package func resolve(_ syntax: TypeSyntax, from container: Container, in index: ModuleIndex) throws -> Resolution {
    switch syntax {
    case .optional(let wrapped):
      let inner = try resolve(wrapped, from: container, in: index)
      let spelling = inner.spelling.hasPrefix("any ") ? "(\(inner.spelling))?" : inner.spelling + "?"
      return Resolution(type: .optional(inner.type), spelling: spelling, isHidden: inner.isHidden)
    case .array(let element):
      var resolution = try resolve(.named(["Swift", "Array"], arguments: [element]), from: container, in: index)
      resolution.spelling = "[\(resolution.spelling.dropFirst("Swift.Array<".count).dropLast())]"
      return resolution
    case .dictionary(let key, let value):
      let types = try [key, value].map { try resolve($0, from: container, in: index) }
      var resolution = try resolve(
        .named(["Swift", "Dictionary"], arguments: [key, value]), from: container, in: index)
      resolution.spelling = "[\(types[0].spelling): \(types[1].spelling)]"
      return resolution
    case .any(let type): return try resolve(type, from: container, in: index)
    case .composition(let types): return try composition(types, from: container, in: index)
    case .unsupported(let text): throw Obstacle(reason: "has a type that no property of a managed object has: \(text)")
    case .named(let names, let arguments):
      return try named(names, arguments, from: container, in: index)
    }
  }

  private func composition(_ types: [TypeSyntax], from container: Container, in index: ModuleIndex) throws
    -> Resolution
  {
    var protocols: [Nominal] = []
    for type in types {
      let resolution = try resolve(type, from: container, in: index)
      guard case .existential(let parts) = resolution.type, !resolution.isHidden else {
        throw Obstacle(reason: "combines a class with protocols, which is not supported")
      }
      protocols += parts
    }
    protocols.sort { ($0.moduleName, $0.name) < ($1.moduleName, $1.name) }
    let spelling = "any " + types.map(\.description).joined(separator: " & ")
    return Resolution(type: .existential(protocols), spelling: spelling)
  }

  private func named(
    _ names: [String], _ arguments: [TypeSyntax], from container: Container, in index: ModuleIndex
  ) throws -> Resolution {
    if arguments.isEmpty, names == ["Any"] || names == ["Swift", "Any"] {
      return Resolution(type: .any, spelling: "Any")
    }
    if arguments.isEmpty, names == ["AnyObject"] || names == ["Swift", "AnyObject"] {
      return Resolution(type: .anyObject, spelling: "AnyObject")
    }
    if names.last == "Optional", let wrapped = arguments.first, names.count == 1 || names == ["Swift", "Optional"] {
      return try resolve(.optional(wrapped), from: container, in: index)
    }
    let written = names.map(SourceName.spelled).joined(separator: ".")
    switch find(names, from: container, in: index) {
    case nil:
      throw Obstacle(reason: "has a type whose declaration was not found: \(names.joined(separator: "."))")
    case .knownAlias(let syntax)?: return try resolve(syntax, from: Container(), in: index)
    case .alias(let other, let alias)?:
      guard let target = try following(alias, of: other, { try resolve(alias.type, from: $0, in: other) }) else {
        throw Obstacle(reason: "has a type that leads back to itself: \(names.joined(separator: "."))")
      }
      return target
    case .known(let nominal)?:
      return try resolution(nominal, written, arguments, from: container, in: index)
    case .type(let other, let path)?:
      let nominal = try self.nominal(path, in: other)
      var spelling = path.map(SourceName.spelled).joined(separator: ".")
      if other !== module, names.first == other.name { spelling = "\(other.name).\(spelling)" }
      guard other === module, other.access(of: path) <= .fileprivate else {
        return try resolution(nominal, spelling, arguments, from: container, in: index)
      }
      guard isManaged(path, in: other) else {
        throw Obstacle(reason: "has a private type, which generated code cannot name: \(spelling)")
      }
      return Resolution(type: .nominal(nominal), spelling: "NSManagedObject", isHidden: true)
    }
  }

  private func resolution(
    _ nominal: Nominal, _ spelling: String, _ arguments: [TypeSyntax], from container: Container,
    in index: ModuleIndex
  ) throws -> Resolution {
    if nominal.kind == .protocol { return Resolution(type: .existential([nominal]), spelling: "any " + spelling) }
    if arguments.isEmpty { return Resolution(type: .nominal(nominal), spelling: spelling) }
    let resolved = try arguments.map { try resolve($0, from: container, in: index) }
    if resolved.contains(where: \.isHidden) {
      throw Obstacle(reason: "is a collection of a private class, which generated code cannot name")
    }
    return Resolution(
      type: .generic(nominal, resolved.map(\.type)),
      spelling: spelling + "<" + resolved.map(\.spelling).joined(separator: ", ") + ">")
  }
}

extension Nominal {
  var moduleName: String {
    switch context {
    case .module(let name), .foreignExtension(_, let name): name
    case .type(let outer): outer.moduleName
    }
  }
}
