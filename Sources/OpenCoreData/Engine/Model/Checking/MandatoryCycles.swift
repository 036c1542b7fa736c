/// Finds relationships that are not optional and lead, one after the other, back to where they began: no object of such
/// a cycle can be saved before the others.
enum MandatoryCycles {
  static func warnings(of entities: [NSEntityDescription]) -> [ModelWarning] {
    var reported: Set<Set<String>> = []
    return entities.compactMap { entity in
      guard !entity.isAbstract, let path = cycle(through: entity) else { return nil }
      // Each cycle once, wherever it is entered.
      guard reported.insert(Set(path.map { $0.destinationEntity?.name ?? "" })).inserted else { return nil }
      let places = path.map { "\($0.owner?.name ?? "").\($0.name)" }.joined(separator: ", ")
      return ModelWarning(
        entity: entity.name ?? "", property: path[0].name,
        reason: "none of these is optional and they lead back, so that their objects must be saved together: \(places)")
    }
  }

  /// The shortest way back to an entity.
  private static func cycle(through start: NSEntityDescription) -> [NSRelationshipDescription]? {
    var queue = [(entity: start, path: [NSRelationshipDescription]())]
    var seen: Set<ObjectIdentifier> = []
    var next = 0
    while next < queue.count {
      let (entity, path) = queue[next]
      next += 1
      for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
      where !relationship.isOptional && !relationship.isTransient
        && (!relationship.isToMany || relationship.minCount > 0)
      {
        guard let destination = relationship.destinationEntity else { continue }
        if destination === start { return path + [relationship] }
        if seen.insert(ObjectIdentifier(destination)).inserted {
          queue.append((destination, path + [relationship]))
        }
      }
    }
    return nil
  }
}
