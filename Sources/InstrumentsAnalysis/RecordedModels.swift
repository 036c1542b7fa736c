import OpenCoreData

/// The relationships between the entities of a recording, from the recording itself and from the models of its stores.
struct RecordedModels {
  private let models: [NSManagedObjectModel]
  /// The entities to which a relationship was seen to lead, by the relationship's name and the entity that declares it.
  private var seen: [Link: Set<String>] = [:]

  private struct Link: Hashable {
    let owner: String
    let relationship: String
  }

  init(_ recording: Recording, model: (String) -> NSManagedObjectModel?) {
    models = Set(recording.statements.compactMap(\.store)).sorted().compactMap(model)
    for activity in recording.activities where activity.kind == .objectFault {
      guard let owner = activity.owner, let relationship = activity.relationship, let entity = activity.entity else {
        continue
      }
      seen[Link(owner: owner, relationship: relationship), default: []].insert(entity)
    }
  }

  private func entity(_ name: String) -> NSEntityDescription? {
    models.lazy.compactMap { $0.entitiesByName[name] }.first
  }

  /// Whether one entity is the other or inherits from it. An entity that no model has inherits from none.
  func isKind(_ name: String, of other: String) -> Bool {
    if name == other { return true }
    guard let entity = entity(name), let other = self.entity(other) else { return false }
    return entity.isKindOf(entity: other)
  }

  /// Returns the relationships of an entity, with their destinations.
  private func links(of name: String) -> [(relationship: String, destination: String)] {
    var links = seen.filter { isKind(name, of: $0.key.owner) }
      .flatMap { link, entities in entities.map { (link.relationship, $0) } }
    for (relationship, description) in entity(name)?.relationshipsByName ?? [:] {
      if let destination = description.destinationEntity?.name { links.append((relationship, destination)) }
    }
    return links.sorted { $0 < $1 }
  }

  /// Returns the shortest key path of relationships from one entity to another; empty if they are the same or related
  /// by inheritance, nil if none is known.
  func keyPath(from start: String, to end: String) -> [String]? {
    var reached: [(entity: String, keys: [String])] = [(start, [])]
    var known: Set = [start]
    for _ in 0...3 {
      if let found = reached.first(where: { isKind($0.entity, of: end) || isKind(end, of: $0.entity) }) {
        return found.keys
      }
      reached = reached.flatMap { step in
        links(of: step.entity).compactMap { link in
          known.insert(link.destination).inserted ? (link.destination, step.keys + [link.relationship]) : nil
        }
      }
    }
    return nil
  }

  /// Returns the name of the inverse of a relationship.
  func inverse(of relationship: String, of name: String) -> String? {
    entity(name)?.relationshipsByName[relationship]?.inverseRelationship?.name
  }

  /// Returns the destination of a relationship.
  func destination(of relationship: String, of name: String) -> String? {
    entity(name)?.relationshipsByName[relationship]?.destinationEntity?.name
  }

  /// Returns the relationships of one entity that lead to another.
  func relationships(from name: String, to destination: String) -> [String] {
    Set(links(of: name).filter { isKind($0.destination, of: destination) }.map(\.relationship)).sorted()
  }
}
