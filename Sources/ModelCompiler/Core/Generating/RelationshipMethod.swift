/// A method that Core Data provides for a to-many relationship, identified by its name and labels.
struct RelationshipMethod: Equatable {
  /// The capitalised name of the relationship.
  var relationship: String
  /// The method of the runtime.
  var function: String
  /// The runtime's labels, one for each parameter.
  var labels: [String?]

  /// The reason in the diagnostic of a method that is not one of these.
  static let unknown = "is none of the methods that a to-many relationship has (addTo..., removeFrom...)"

  init?(name: String, labels: [String?]) {
    let patterns: [(prefix: String, suffix: String, labels: [String?], function: String, runtimeLabels: [String?])] = [
      ("addTo", "", [nil], "_managedAdd", [nil]),
      ("removeFrom", "", [nil], "_managedRemove", [nil]),
      ("removeFrom", "", ["at"], "_managedRemove", ["at"]),
      ("insertInto", "", [nil, "at"], "_managedInsert", [nil, "at"]),
      ("replace", "", ["at", "with"], "_managedReplace", ["at", "with"]),
      ("add", "Object", [nil], "_managedAdd", [nil]),
      ("remove", "Object", [nil], "_managedRemove", [nil]),
      ("add", "", [nil], "_managedAdd", [nil]),
      ("remove", "", [nil], "_managedRemove", [nil]),
    ]
    for pattern in patterns where labels == pattern.labels {
      guard name.hasPrefix(pattern.prefix), name.hasSuffix(pattern.suffix) else { continue }
      let middle = name.dropFirst(pattern.prefix.count).dropLast(pattern.suffix.count)
      // `addToys` adds toys, and does not add to a relationship named `ys`.
      guard let first = middle.first, !first.isLowercase else { continue }
      relationship = String(middle)
      function = pattern.function
      self.labels = pattern.runtimeLabels
      return
    }
    return nil
  }

  /// Returns the relationship's name: a declared property with this capitalised name, or else the name with a lowercase
  /// first letter.
  func key(among declared: Set<String>) -> String {
    declared.filter { $0.prefix(1).uppercased() + $0.dropFirst() == relationship }.sorted().first
      ?? relationship.prefix(1).lowercased() + relationship.dropFirst()
  }
}
