// Questions that the saves of all relational stores answer before they write.

// Unique values that pass from one object to another.
extension RelationalStore {
  /// Returns whether an updated object changes values that must be unique: the object may take a value that another one
  /// gives up.
  package func exchangesUniqueValues(_ work: SaveWork) -> Bool {
    var known: [ObjectIdentifier: [UniquenessConstraint]] = [:]
    return work.updated.contains { object in
      constraints(of: object, &known).contains { $0.isChanged(in: object) }
    }
  }

  /// Returns the unique values that the updated rows give up. If these values are removed first, the rows can get their
  /// new values in any order.
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

/// The unique values that a row gives up.
package struct VacatedValues {
  package let entity: SQLEntity
  package let columns: [String]
  package let key: Int64
}

extension SQLEntity {
  /// The columns of a constraint's properties, without properties that have no column.
  package func columns(of constraint: UniquenessConstraint) -> [SQLAttributeColumn] {
    constraint.names.compactMap { name in positions[name].map { SQLAttributeColumn(columns[$0].typedNames[0]) } }
  }
}
