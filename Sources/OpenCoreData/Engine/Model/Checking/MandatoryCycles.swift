/// Finds cycles of relationships that are not optional: no object of such a cycle can be saved before the others.
enum MandatoryCycles {
  static func warnings(of entities: [NSEntityDescription]) -> [ModelWarning] {
    var reported: Set<Set<String>> = []
    return entities.compactMap { entity in
      guard !entity.isAbstract, let path = cycle(through: entity) else { return nil }
      // Each cycle is reported once, from whichever of its entities it is found first.
      guard reported.insert(Set(path.map { $0.destinationEntity?.name ?? "" })).inserted else { return nil }
      let places = path.map { "\($0.owner?.name ?? "").\($0.name)" }.joined(separator: ", ")
      return ModelWarning(
        entity: entity.name ?? "", property: path[0].name,
        reason: "none of these is optional and they lead back, so that their objects must be saved together: \(places)")
    }
  }

  /// Returns the shortest path of such relationships from an entity back to itself; nil if there is none.
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
