/// One aspect in which two versions of a model, an entity or a property differ.
package struct ChangedAspect: Equatable, Sendable {
  /// The name of the aspect, e.g. `type`.
  package let name: String
  /// The value in the source; nil for none.
  package let source: String?
  /// The value in the destination; nil for none.
  package let destination: String?
}

/// The kind of change of an entity or a property between two versions.
package enum VersionChange: String, Sendable {
  case same, added, removed, renamed, changed

  /// Determines the kind of change from two versions; `isEqual` says whether they are equal apart from the name.
  init<Part: VersionedPart>(_ source: Part?, _ destination: Part?, isEqual: Bool) {
    switch (source, destination) {
    case (nil, _): self = .added
    case (_, nil): self = .removed
    case (let source?, let destination?):
      if source.versionedName != destination.versionedName {
        self = .renamed
      } else {
        self = isEqual ? .same : .changed
      }
    }
  }
}

extension [ChangedAspect] {
  /// Adds an aspect if its values differ.
  mutating func compare(_ name: String, _ source: String?, _ destination: String?) {
    guard source != destination else { return }
    append(ChangedAspect(name: name, source: source, destination: destination))
  }

  /// Adds a Boolean aspect, as `yes` or `no`, if its values differ.
  mutating func compare(_ name: String, _ source: Bool, _ destination: Bool) {
    compare(name, source ? "yes" : "no", destination ? "yes" : "no")
  }

  /// Adds an aspect that is a list, if the lists differ.
  mutating func compare(_ name: String, _ source: [String], _ destination: [String]) {
    compare(
      name, source.isEmpty ? nil : source.joined(separator: ", "),
      destination.isEmpty ? nil : destination.joined(separator: ", "))
  }

  /// Adds the user info, if it differs.
  mutating func compare(userInfo source: [AnyHashable: Any]?, _ destination: [AnyHashable: Any]?) {
    func texts(_ info: [AnyHashable: Any]?) -> [String] { (info ?? [:]).map { "\($0.key)=\($0.value)" }.sorted() }
    compare("user info", texts(source), texts(destination))
  }
}
