// The conditions on the rows under which a lightweight migration succeeds.

extension InferredMigration {
  static func conditions(
    of entities: [EntityMigration], _ pairing: VersionPairing<NSEntityDescription>
  ) -> [MigrationObstacle] {
    var found: [MigrationObstacle] = []
    // Inherited properties are checked for each subentity, so that the same condition may be found several times.
    func add(_ conditions: [MigrationObstacle]) {
      for condition in conditions where !found.contains(condition) { found.append(condition) }
    }
    for entity in entities where entity.keepsRows {
      if entity.destination?.isAbstract == true {
        add([
          MigrationObstacle(
            kind: .abstractEntity, entity: entity.name, property: nil,
            reason: "it is abstract now, and no object may be of it and of none of its subentities")
        ])
      }
      add(
        entity.relationships.filter { $0.changes.contains(.toOne) }.map { relationship in
          MigrationObstacle(
            kind: .severalMembers, entity: relationship.destination.owner?.name ?? entity.name,
            property: relationship.destination.name,
            reason: "it led to many objects and leads to one, and no object may have several")
        })
      add(
        entity.relationships.filter(\.becomesOneOwners).map { relationship in
          MigrationObstacle(
            kind: .severalMembers, entity: relationship.destination.owner?.name ?? entity.name,
            property: relationship.destination.name,
            reason: "it has no inverse any more, so that a member has one owner, and no member may have several")
        })
      add(newConstraints(of: entity, pairing))
    }
    return found
  }

  /// Returns a condition for each constraint that the source does not have, or has for fewer objects.
  private static func newConstraints(
    of entity: EntityMigration, _ pairing: VersionPairing<NSEntityDescription>
  ) -> [MigrationObstacle] {
    let names = Dictionary(
      entity.attributes.compactMap { attribute in attribute.source.map { ($0.name, attribute.destination.name) } },
      uniquingKeysWith: { first, _ in first })
    let before = constraints(entity.source).map { constraint in
      (names: constraint.names.map { names[$0] ?? $0 }, entity: pairing.destination(of: constraint.entity))
    }
    return constraints(entity.destination).filter { constraint in
      !before.contains { known in
        known.names == constraint.names && known.entity.map(constraint.entity.isKindOf(entity:)) == true
      }
    }.map { constraint in
      MigrationObstacle(
        kind: .constraintViolation, entity: constraint.entity.name ?? entity.name, property: nil,
        reason:
          "no two objects may be equal in \(constraint.names.joined(separator: ", ")), which the source does not demand"
      )
    }
  }

  /// Returns the constraints of an entity and of its superentities, each with the entity that declares it.
  private static func constraints(
    _ entity: NSEntityDescription?
  ) -> [(names: [String], entity: NSEntityDescription)] {
    var result: [(names: [String], entity: NSEntityDescription)] = []
    var current = entity
    while let entity = current {
      result += entity.uniquenessConstraintNames.map { ($0, entity) }
      current = entity.superentity
    }
    return result
  }
}

extension RelationshipMigration {
  /// Whether each member could have any number of owners and can have one afterwards, because the relationship has no
  /// inverse.
  fileprivate var becomesOneOwners: Bool {
    guard let source, destination.isToMany, destination.inverseRelationship == nil else { return false }
    return source.inverseRelationship?.isToMany ?? !source.isToMany
  }
}
