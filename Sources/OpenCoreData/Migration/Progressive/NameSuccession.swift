/// What entities, and the attributes and relationships that they have or inherit, are called in a later version.
struct NameSuccession {
  /// By the name of the entity in the earlier version.
  private var entities: [String: String] = [:]
  /// By the name of that entity, then by that of the property.
  private var properties: [String: [String: String]] = [:]

  init(_ migration: InferredMigration) {
    for change in migration.entities {
      guard let source = change.source?.name, let destination = change.destination?.name else { continue }
      entities[source] = destination
      let pairs =
        change.attributes.map { ($0.source?.name, $0.destination.name) }
        + change.relationships.map { ($0.source?.name, $0.destination.name) }
      for case (let old?, let new) in pairs { properties[source, default: [:]][old] = new }
    }
  }

  /// From the earlier version of this to the later one of the next.
  func followed(by next: NameSuccession) -> NameSuccession {
    var result = self
    result.entities = entities.compactMapValues { next.entities[$0] }
    result.properties = Dictionary(
      uniqueKeysWithValues: properties.compactMap { entity, names in
        guard let later = entities[entity].flatMap({ next.properties[$0] }) else { return nil }
        return (entity, names.compactMapValues { later[$0] })
      })
    return result
  }

  /// Whether everything that goes on in another succession goes on so in this one.
  func contains(_ other: NameSuccession) -> Bool {
    other.entities.allSatisfy { entities[$0.key] == $0.value }
      && other.properties.allSatisfy { entity, names in
        names.allSatisfy { properties[entity]?[$0.key] == $0.value }
      }
  }
}
