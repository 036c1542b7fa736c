/// What belongs to the names of an entity's properties. Most records have the names in the same order, so that the name that
/// followed last time is tried before the others.
struct ImportedNames<Value> {
  private let entries: [(name: String, value: Value)]
  private let places: [String: Int]
  private var next = 0

  init(_ values: [String: Value]) {
    // Exports are in this order.
    let entries = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    self.entries = entries
    places = Dictionary(entries.indices.map { (entries[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var count: Int { entries.count }

  subscript(_ name: String) -> Value? {
    mutating get {
      if next == entries.count { next = 0 }
      guard next < entries.count else { return nil }
      if entries[next].name != name {
        guard let place = places[name] else { return nil }
        next = place
      }
      defer { next += 1 }
      return entries[next].value
    }
  }
}
