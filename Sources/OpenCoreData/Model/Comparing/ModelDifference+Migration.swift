extension ModelDifference {
  /// What keeps a lightweight migration from being done; empty if it can be.
  package var obstacles: [MigrationObstacle] {
    var found = hierarchyObstacles
    for entity in entities {
      // Where the source has no rows, there is nothing to fill or to convert.
      guard let source = entity.source, entity.destination != nil, !source.isAbstract else { continue }
      for property in entity.properties {
        guard let obstacle = obstacle(property, of: entity.name), !found.contains(obstacle) else { continue }
        found.append(obstacle)
      }
    }
    return found
  }

  /// What the rows of a store must be like for its migration to end well.
  package var conditions: [MigrationObstacle] {
    entities.flatMap { entity -> [MigrationObstacle] in
      guard let source = entity.source, let destination = entity.destination else { return [] }
      let before = source.uniquenessConstraintNames
      return destination.uniquenessConstraintNames.filter { !before.contains($0) }.map {
        MigrationObstacle(
          kind: .constraintViolation, entity: entity.name, property: nil,
          reason: "no two objects may be equal in \($0.joined(separator: ", ")), which the source does not demand")
      }
    }
  }

  private func obstacle(_ property: PropertyDifference, of entity: String) -> MigrationObstacle? {
    guard let destination = property.destination, !destination.isTransient else { return nil }
    func obstacle(_ kind: MigrationObstacle.Kind, _ reason: String) -> MigrationObstacle {
      MigrationObstacle(
        kind: kind, entity: destination.owner?.name ?? entity, property: destination.name, reason: reason)
    }
    // What was transient was in no store.
    let source = property.source.flatMap { $0.isTransient ? nil : $0 }
    switch (source, destination) {
    case (_, is NSDerivedAttributeDescription), (_, is NSFetchedPropertyDescription): return nil
    case (let source as NSAttributeDescription, let destination as NSAttributeDescription):
      if let reason = Self.conversionProblem(source, destination) { return obstacle(.noInferredMapping, reason) }
      guard source.isOptional, !destination.isOptional, destination.defaultValue == nil else { return nil }
      return obstacle(.missingValue, "it is no longer optional and has no default value")
    case (nil, let destination as NSAttributeDescription):
      guard !destination.isOptional, destination.defaultValue == nil, destination.elementsText == nil else {
        return nil
      }
      return obstacle(.missingValue, "it is new, not optional, and has no default value")
    case (let source as NSRelationshipDescription, let destination as NSRelationshipDescription):
      if let reason = problem(source, destination) { return obstacle(.noInferredMapping, reason) }
      guard source.isOptional, !destination.isOptional, !destination.isToMany else { return nil }
      return obstacle(.missingValue, "it is no longer optional, and objects may lack it")
    case (nil, let destination as NSRelationshipDescription):
      guard !destination.isOptional, !destination.isToMany else { return nil }
      return obstacle(.missingValue, "it is new and not optional, and no object has it")
    case (let source?, _):
      return obstacle(.noInferredMapping, "it was a \(source.kindText) and is a \(destination.kindText)")
    default: return nil
    }
  }

  /// The types whose values turn into each other.
  private static let numericTypes: Set<NSAttributeType> = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
    .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
  ]

  private static func conversionProblem(
    _ source: NSAttributeDescription, _ destination: NSAttributeDescription
  ) -> String? {
    let types = (source.attributeType, destination.attributeType)
    if types.0 != types.1 {
      if numericTypes.contains(types.0), numericTypes.contains(types.1) { return nil }
      return "\(types.0.name) does not turn into \(types.1.name)"
    }
    guard let source = source as? NSCompositeAttributeDescription,
      let destination = destination as? NSCompositeAttributeDescription
    else { return nil }
    for pair in VersionPairing(source.elements, destination.elements).pairs {
      guard let from = pair.source, let to = pair.destination, let reason = conversionProblem(from, to) else {
        continue
      }
      return "in its element \(to.name), \(reason)"
    }
    return nil
  }

  private func problem(_ source: NSRelationshipDescription, _ destination: NSRelationshipDescription) -> String? {
    if source.isToMany, !destination.isToMany { return "it led to many objects and leads to one" }
    guard let before = source.destinationEntity, let after = destination.destinationEntity else { return nil }
    guard let now = pairing.destination(of: before), now.isKindOf(entity: after) else {
      return "it led to \(before.name ?? "") and leads to \(after.name ?? "")"
    }
    return nil
  }

  /// Hierarchies that are put together. An entity that stood alone may enter one that is there already.
  private var hierarchyObstacles: [MigrationObstacle] {
    destination.entities.filter { $0.superentity == nil }.compactMap { root in
      let members = destination.entities.filter { $0.rootEntity === root }.compactMap(pairing.source)
      var roots: [NSEntityDescription] = []
      for member in members where !roots.contains(where: { $0 === member.rootEntity }) {
        roots.append(member.rootEntity)
      }
      let kept = pairing.source(of: root)?.rootEntity
      let hierarchies = roots.filter { $0 === kept || kept == nil || !$0.subentities.isEmpty }
      guard hierarchies.count > 1 else { return nil }
      let names = hierarchies.compactMap(\.name).sorted().joined(separator: ", ")
      return MigrationObstacle(
        kind: .noInferredMapping, entity: root.name ?? "", property: nil,
        reason: "it puts together hierarchies that had no common superentity: \(names)")
    }
  }
}
