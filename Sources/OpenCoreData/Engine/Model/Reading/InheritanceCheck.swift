/// Finds entities of model files that inherit from themselves, or from too many other entities.
enum InheritanceCheck {
  /// The largest number of entities above one entity, far above the numbers in use. It is limited because inherited
  /// properties are looked up recursively.
  private static let mostAncestors = 500

  /// Checks the superentities of an entity.
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
