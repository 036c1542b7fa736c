extension Program {
  /// The class of the framework, or of another library, that a class of the module descends from.
  func frameworkClass(of path: [String]) -> String? {
    var (path, index) = (path, module)
    for _ in 0..<64 {
      switch superclass(of: path, in: index) {
      case .type(let other, let ancestor)?: (index, path) = (other, ancestor)
      case .known(let nominal)?: return nominal.name
      default:
        // Base classes of packages that are binary, or generated, are named so.
        return isManaged(path, in: index) ? "NSManagedObject" : nil
      }
    }
    return nil
  }

  /// The path of a class of the module that an extension extends.
  func extendedClass(_ names: [String]) -> [String]? {
    var found = find(names, from: Container(), in: module)
    if case .alias(let index, let alias)? = found, case .named(let target, _) = alias.type {
      found = following(alias, of: index) { find(target, from: $0, in: index) }
    }
    guard case .type(let index, let path)? = found, index === module,
      index.types[path]?.declaration.kind == .class
    else { return nil }
    return path
  }

  /// The classes of the module that a class descends from, nearest first.
  func ancestors(of path: [String]) -> [[String]] {
    var result: [[String]] = []
    var path = path
    while case .type(let index, let ancestor)? = superclass(of: path, in: module), index === module,
      !result.contains(ancestor)
    {
      result.append(ancestor)
      path = ancestor
    }
    return result
  }
}
