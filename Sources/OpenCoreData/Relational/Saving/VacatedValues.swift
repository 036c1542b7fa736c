// Values that saves of all relational stores determine before they write.

// Values that change hands, and must be unique.
extension RelationalStore {
  /// Whether updated objects change unique values: an object may take a value that another one gives up.
  package func exchangesUniqueValues(_ work: SaveWork) -> Bool {
    var known: [ObjectIdentifier: [UniquenessConstraint]] = [:]
    return work.updated.contains { object in
      constraints(of: object, &known).contains { $0.isChanged(in: object) }
    }
  }

  /// The unique values that the updated rows give up: without them first, the order does not matter in which they get their
  /// new ones.
  package func vacatedValues(_ work: SaveWork) -> [VacatedValues] {
    var known: [ObjectIdentifier: [UniquenessConstraint]] = [:]
    return work.updated.compactMap { object in
      guard let entity = schema.entity(for: object.layout.entity) else { return nil }
      let slots = constraints(of: object, &known).filter { $0.isChanged(in: object) }.flatMap(\.slots)
        .filter { object.changedValue($0, untracked: true) != nil }
      let columns = Set(slots.compactMap { entity.positions[$0.name] }).sorted().flatMap { entity.columns[$0].names }
      return columns.isEmpty ? nil : VacatedValues(entity: entity, columns: columns, key: object.key)
    }
  }

  private func constraints(
    of object: NSManagedObject, _ known: inout [ObjectIdentifier: [UniquenessConstraint]]
  ) -> [UniquenessConstraint] {
    let entity = object.layout.entity
    if let constraints = known[ObjectIdentifier(entity)] { return constraints }
    let constraints = UniquenessConstraint.all(of: entity)
    known[ObjectIdentifier(entity)] = constraints
    return constraints
  }
}

/// Values of a row that must be unique and that it gives up.
package struct VacatedValues {
  package let entity: SQLEntity
  package let columns: [String]
  package let key: Int64
}

extension SQLEntity {
  /// The columns of those properties of a constraint that have a column.
  package func columns(of constraint: UniquenessConstraint) -> [SQLAttributeColumn] {
    constraint.names.compactMap { name in positions[name].map { SQLAttributeColumn(columns[$0].typedNames[0]) } }
  }
}
