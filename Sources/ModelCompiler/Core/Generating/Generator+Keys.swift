extension Generator {
  /// The constant that holds the interned key of a property name.
  mutating func key(_ name: String) -> String {
    if let constant = keys[name] { return constant }
    let base = "_key_" + SourceName.part(name)
    var constant = base
    var number = 2
    while keys.values.contains(constant) {
      constant = "\(base)_\(number)"
      number += 1
    }
    keys[name] = constant
    return constant
  }

  func keyDeclarations() -> String {
    keys.sorted { $0.key < $1.key }.map { name, constant in
      "private nonisolated let \(constant) = CoreData.PropertyKey(\(SourceName.quoted(name)))\n"
    }.joined()
  }
}
