extension Program {
  /// Returns the name of the framework's class, or of another library's class, from which a class of the module
  /// descends.
  func frameworkClass(of path: [String]) -> String? {
    var (path, index) = (path, module)
    for _ in 0..<64 {
      switch superclass(of: path, in: index) {
      case .type(let other, let ancestor)?: (index, path) = (other, ancestor)
      case .known(let nominal)?: return nominal.name
      default:
        // Base classes in binary packages, and generated ones, are recognized by such names.
        return isManaged(path, in: index) ? "NSManagedObject" : nil
      }
    }
    return nil
  }

  /// Returns the path of the module's class that an extension extends.
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

  /// Returns the classes of the module from which a class descends, nearest first.
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
