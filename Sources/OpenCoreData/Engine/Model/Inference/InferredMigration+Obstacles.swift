// The rules of lightweight migration.

extension InferredMigration {
  static func obstacles(
    of entities: [EntityMigration], _ pairing: VersionPairing<NSEntityDescription>, _ destination: NSManagedObjectModel
  ) -> [MigrationObstacle] {
    var found = hierarchyObstacles(pairing, destination)
    // Where the source has no rows, there is nothing to fill or to convert.
    for entity in entities where entity.keepsRows {
      let ofAttributes = entity.attributes.compactMap { obstacle($0, of: entity) }
      let ofRelationships = entity.relationships.compactMap { obstacle($0, of: entity, pairing) }
      // Inherited properties are checked for each subentity, so that the same obstacle may be found several times.
      for obstacle in ofAttributes + ofRelationships where !found.contains(obstacle) { found.append(obstacle) }
    }
    return found
  }

  // MARK: Attributes

  private static func obstacle(_ attribute: AttributeMigration, of entity: EntityMigration) -> MigrationObstacle? {
    let destination = attribute.destination
    guard !attribute.isDerived else { return nil }
    func obstacle(_ kind: MigrationObstacle.Kind, _ reason: String) -> MigrationObstacle {
      MigrationObstacle(
        kind: kind, entity: destination.owner?.name ?? entity.name, property: destination.name, reason: reason)
    }
    if let other = otherKind(of: destination, in: entity) { return obstacle(.noInferredMapping, other) }
    if let reason = conversionProblem(attribute) { return obstacle(.noInferredMapping, reason) }
    guard !destination.isOptional, attribute.fill == nil else { return nil }
    // The elements of a new composite attribute are new as well, and are not reported one by one.
    if attribute.changes.contains(.added), attribute.elements.isEmpty {
      return obstacle(.missingValue, "it is new, not optional, and has no default value")
    }
    guard attribute.changes.contains(.mandatory) else { return nil }
    return obstacle(.missingValue, "it is no longer optional and has no default value")
  }

  /// The types whose values can be converted into each other.
  private static let numericTypes: Set<NSAttributeType> = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
    .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
  ]

  private static func conversionProblem(_ attribute: AttributeMigration) -> String? {
    guard let source = attribute.source else { return nil }
    let types = (source.attributeType, attribute.destination.attributeType)
    if types.0 != types.1 {
      if numericTypes.contains(types.0), numericTypes.contains(types.1) { return nil }
      return "it was \(types.0.name) and is \(types.1.name), and \(types.0.name) does not turn into \(types.1.name)"
    }
    for element in attribute.elements {
      if let reason = conversionProblem(element) { return "in its element \(element.destination.name), \(reason)" }
    }
    return nil
  }

  // MARK: Relationships

  private static func obstacle(
    _ relationship: RelationshipMigration, of entity: EntityMigration, _ pairing: VersionPairing<NSEntityDescription>
  ) -> MigrationObstacle? {
    let destination = relationship.destination
    func obstacle(_ kind: MigrationObstacle.Kind, _ reason: String) -> MigrationObstacle {
      MigrationObstacle(
        kind: kind, entity: destination.owner?.name ?? entity.name, property: destination.name, reason: reason)
    }
    if let other = otherKind(of: destination, in: entity) { return obstacle(.noInferredMapping, other) }
    if let source = relationship.source {
      if let reason = targetProblem(source, destination, pairing) { return obstacle(.noInferredMapping, reason) }
      if let reason = inverseProblem(source, destination, pairing) { return obstacle(.noInferredMapping, reason) }
    }
    guard !destination.isOptional, !destination.isToMany else { return nil }
    if relationship.changes.contains(.added) {
      return obstacle(.missingValue, "it is new and not optional, and no object has it")
    }
    guard relationship.changes.contains(.mandatory) else { return nil }
    return obstacle(.missingValue, "it is no longer optional, and objects may lack it")
  }

  private static func targetProblem(
    _ source: NSRelationshipDescription, _ destination: NSRelationshipDescription,
    _ pairing: VersionPairing<NSEntityDescription>
  ) -> String? {
    guard let before = source.destinationEntity, let after = destination.destinationEntity else { return nil }
    guard let now = pairing.destination(of: before), now.isKindOf(entity: after) else {
      return "it led to \(before.name ?? "") and leads to \(after.name ?? "")"
    }
    return nil
  }

  /// Returns a problem if the new inverse existed in the source, but was not the inverse of this relationship there:
  /// the two relationships may then contradict each other.
  private static func inverseProblem(
    _ source: NSRelationshipDescription, _ destination: NSRelationshipDescription,
    _ pairing: VersionPairing<NSEntityDescription>
  ) -> String? {
    guard let inverse = destination.inverseRelationship,
      let other = inverse.owner.flatMap(pairing.source),
      let origin = other.relationshipsByName.values.first(where: { $0.canonicalName == inverse.canonicalName }),
      !origin.isTransient, origin !== source.inverseRelationship
    else { return nil }
    let before = source.inverseRelationship?.name ?? "none"
    return "its inverse was \(before) and is \(inverse.name), which led to other objects"
  }

  /// Returns a text that names the former and the new kind of a property whose kind has changed; nil if it has not
  /// changed.
  private static func otherKind(of destination: NSPropertyDescription, in entity: EntityMigration) -> String? {
    let name = destination.canonicalName
    let before = entity.removedOrReplaced.first { $0.canonicalName == name }
    guard let before, (before is NSRelationshipDescription) != (destination is NSRelationshipDescription) else {
      return nil
    }
    return "it was \(before.kindText.withArticle) and is \(destination.kindText.withArticle)"
  }

  // MARK: Hierarchies

  /// Finds hierarchies that the destination puts together. An entity that had neither superentity nor subentities may
  /// enter a hierarchy that exists already.
  private static func hierarchyObstacles(
    _ pairing: VersionPairing<NSEntityDescription>, _ destination: NSManagedObjectModel
  ) -> [MigrationObstacle] {
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

extension EntityMigration {
  /// The stored properties of the source.
  fileprivate var removedOrReplaced: [NSPropertyDescription] {
    source.map { $0.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) } } ?? []
  }
}

extension String {
  fileprivate var withArticle: String { (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self }
}
