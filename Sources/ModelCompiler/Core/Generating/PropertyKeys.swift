/// The constants that hold the interned keys of property names.
struct PropertyKeys {
  /// The prefix of the constants' names.
  var prefix = "_key_"
  /// Whether other files of the module use the constants.
  var isShared = false
  private var constants: [String: String] = [:]
  private var used: Set<String> = []

  init(prefix: String = "_key_", isShared: Bool = false) {
    self.prefix = prefix
    self.isShared = isShared
  }

  /// Returns the constant for a name.
  mutating func constant(for name: String) -> String {
    if let constant = constants[name] { return constant }
    let base = prefix + SourceName.part(name)
    var constant = base
    var number = 2
    while !used.insert(constant).inserted {
      constant = "\(base)_\(number)"
      number += 1
    }
    constants[name] = constant
    return constant
  }

  var declarations: String {
    constants.sorted { $0.key < $1.key }.map { name, constant in
      "\(isShared ? "" : "private ")nonisolated let \(constant) = CoreData._PropertyKey(\(SourceName.quoted(name)))\n"
    }.joined()
  }
}
