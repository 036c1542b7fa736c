/// The type of a column's values. The dialect knows the type's name in the database.
package enum SQLColumnType: Sendable {
  case integer16, integer32, integer64, boolean
  /// Seconds since 2001.
  case timestamp
  case double, float, decimal, string, uuid, data
  /// The key of a row.
  case key
  /// The number of a row's entity.
  case entityNumber
  /// The number of times that a row was written.
  case version
  /// The place among the members of an owner.
  case position
}

/// A persistent attribute and the column that holds its value.
package struct SQLAttribute: Sendable {
  /// The attribute; the element for a part of a composite attribute.
  package let attribute: NSAttributeDescription
  /// The name, or for a part of a composite attribute the names that lead to it, joined by dots.
  package let keyPath: String
  package let columnName: String
  package let type: SQLColumnType
}

/// A to-one relationship and the columns that hold the destination's key.
package struct SQLToOne: Sendable {
  package let relationship: NSRelationshipDescription
  /// The number of the destination entity, for `SQLModel.entity(number:)`.
  package let destinationNumber: Int
  package let keyColumn: String
  /// The column with the number of the row's real entity, if the destination has subentities.
  package let entityColumn: String?
  /// The column with the position among the destination's objects, if the inverse is an ordered to-many relationship.
  package let orderColumn: String?
}

/// A to-many relationship and where its members are found.
package struct SQLToMany: Sendable {
  /// Where the members are found.
  package enum Storage: Sendable {
    /// In a to-one key of the destination's rows. `entityColumn` is that of that to-one, and so is
    /// `orderColumn`, which is nil for a relationship without order: others that have one may be stored in the same key.
    case foreignKey(table: String, column: String, entityColumn: String?, orderColumn: String?)
    /// In a table of their own. `orderColumn` gives the order of the members of one owner, `inverseOrderColumn` that
    /// of the owners of one member.
    case join(
      table: String, sourceColumn: String, destinationColumn: String, orderColumn: String?,
      inverseOrderColumn: String?)
  }

  package let relationship: NSRelationshipDescription
  /// The number of the destination entity, for `SQLModel.entity(number:)`.
  package let destinationNumber: Int
  package let storage: Storage
}

/// The column, or columns, that an entity's row has for one property.
package enum SQLColumn: Sendable {
  case attribute(SQLAttribute)
  case toOne(SQLToOne)

  /// The columns to read, in this order: one for an attribute, one or two (key, entity) for a to-one.
  package var names: [String] {
    switch self {
    case .attribute(let attribute): [attribute.columnName]
    case .toOne(let toOne): [toOne.keyColumn] + (toOne.entityColumn.map { [$0] } ?? [])
    }
  }

  /// All columns that the property has in its row, including the column of the position.
  package var allNames: [String] {
    if case .toOne(let toOne) = self { return names + [toOne.orderColumn].compactMap { $0 } }
    return names
  }

  /// The columns with their types.
  package var typedNames: [(name: String, type: SQLColumnType)] {
    switch self {
    case .attribute(let attribute): [(attribute.columnName, attribute.type)]
    case .toOne(let toOne):
      [(toOne.keyColumn, .key)] + (toOne.entityColumn.map { [($0, .entityNumber)] } ?? [])
    }
  }

  /// The assignments of an UPDATE, with a variable for each name. A member that changes its owner loses its sort key:
  /// it has no place among the new owner's members yet.
  package var assignments: [SQLAssignment] {
    let values = typedNames.map { SQLAssignment.parameter($0.name, $0.type) }
    if case .toOne(let toOne) = self, let order = toOne.orderColumn { return values + [SQLAssignment(order, .null)] }
    return values
  }

  /// The name of the property; the key path for a part of a composite attribute.
  package var propertyName: String {
    switch self {
    case .attribute(let attribute): attribute.keyPath
    case .toOne(let toOne): toOne.relationship.name
    }
  }
}

/// The meaning of a property's name in an entity.
package enum SQLProperty: Sendable {
  case attribute(SQLAttribute)
  case toOne(SQLToOne)
  case toMany(SQLToMany)
}
