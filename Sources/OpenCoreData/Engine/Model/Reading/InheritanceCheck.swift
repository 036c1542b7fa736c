/// Finds entities of files that inherit from themselves, or from more others than can be meant.
enum InheritanceCheck {
  /// The largest number of entities above one, far above what is in use. Inherited properties are looked up recursively.
  private static let mostAncestors = 500

  /// Checks the line above an entity.
  /// - Parameter parents: the name of each entity's superentity.
  static func check(_ name: String, parents: [String: String]) throws {
    var seen: Set = [name]
    var next = parents[name]
    while let current = next {
      guard seen.insert(current).inserted else {
        throw ModelProblem.inconsistent(
          "The entity inherits from itself, through “\(parents[name] ?? "")”.", entity: name)
      }
      guard seen.count <= mostAncestors + 1 else {
        throw ModelProblem.inconsistent("The entity inherits from more than \(mostAncestors) others.", entity: name)
      }
      next = parents[current]
    }
  }
}
