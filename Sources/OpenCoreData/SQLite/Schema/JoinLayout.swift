/// A many-to-many relationship, or a to-many one without inverse, and the table that holds it.
struct JoinLayout {
  let relationship: NSRelationshipDescription
  let sourceNumber: Int
  let table: SQLJoinTable
  let orderColumn: String?
  let inverseOrderColumn: String?

  /// The join tables of the given entities, in the order in which they are created.
  static func all(
    of order: [NSEntityDescription], numbers: [ObjectIdentifier: Int], existingColumns: (String) -> [String]?
  ) -> [JoinLayout] {
    var names = SQLNames()
    var result: [JoinLayout] = []
    for (index, entity) in order.enumerated() {
      let relationships = entity.declaredProperties.compactMap { $0 as? NSRelationshipDescription }
        .filter { $0.isToMany && !$0.isTransient && !($0.inverseRelationship.map { !$0.isToMany } ?? false) }
        .sorted { $0.name < $1.name }
      for relationship in relationships {
        guard let destination = relationship.destinationEntity, numbers[ObjectIdentifier(destination)] != nil,
          let inverse = inverseNumber(of: relationship, numbers: numbers)
        else { continue }
        let side = Side(relationship: relationship, number: index + 1, inverseNumber: inverse)
        guard namesTable(side, existingColumns: existingColumns) else { continue }
        result.append(JoinLayout(side, names: &names, existingColumns: existingColumns))
      }
    }
    return result
  }

  /// One of the two relationships that a table may be named after.
  private struct Side {
    let relationship: NSRelationshipDescription
    let number: Int
    let inverseNumber: Int

    var tableName: String { "Z_\(number)\(relationship.name.uppercased())" }
    var inverseTableName: String? {
      relationship.inverseRelationship.map { "Z_\(inverseNumber)\($0.name.uppercased())" }
    }
  }

  /// The number of the entity that declares the inverse, or of the destination if there is no inverse.
  private static func inverseNumber(
    of relationship: NSRelationshipDescription, numbers: [ObjectIdentifier: Int]
  ) -> Int? {
    (relationship.inverseRelationship?.owner ?? relationship.destinationEntity).flatMap {
      numbers[ObjectIdentifier($0)]
    }
  }

  /// Whether the table is named after this side: the entity with the lower number, and inside one hierarchy the
  /// greater name. A table that is already there decides.
  private static func namesTable(_ side: Side, existingColumns: (String) -> [String]?) -> Bool {
    guard let inverse = side.relationship.inverseRelationship, inverse !== side.relationship,
      let inverseTable = side.inverseTableName
    else { return true }
    let isPreferred: Bool
    if let source = side.relationship.owner?.rootEntity, source === inverse.owner?.rootEntity {
      isPreferred =
        inverse.name == side.relationship.name
        ? side.number < side.inverseNumber : inverse.name < side.relationship.name
    } else {
      isPreferred = side.number < side.inverseNumber
    }
    switch (existingColumns(side.tableName) != nil, existingColumns(inverseTable) != nil) {
    case (true, false): return true
    case (false, true): return false
    default: return isPreferred
    }
  }

  private init(_ side: Side, names: inout SQLNames, existingColumns: (String) -> [String]?) {
    let relationship = side.relationship
    let inverse = relationship.inverseRelationship
    let tableName = names.unique(side.tableName)
    var columns = SQLNames()
    let sourceName = inverse?.name ?? relationship.owner?.name ?? relationship.name
    var source = columns.unique("Z_\(side.number)\(sourceName.uppercased())")
    let destination = columns.unique("Z_\(side.inverseNumber)\(relationship.name.uppercased())")
    // A file may name the owner's column in another way where no inverse, or the relationship itself, gives the name.
    if let existing = existingColumns(tableName), !existing.contains(source), existing.contains(destination) {
      let others = existing.filter { $0 != destination && !$0.hasPrefix("Z_FOK_") }
      if others.count == 1 { source = others[0] }
    }
    let inverseIsOrdered = inverse.map { $0.isOrdered && $0 !== relationship } ?? false
    self.relationship = relationship
    sourceNumber = side.number
    orderColumn = relationship.isOrdered ? "Z_FOK_" + destination.dropFirst(2) : nil
    inverseOrderColumn = inverseIsOrdered ? "Z_FOK_" + source.dropFirst(2) : nil
    table = SQLJoinTable(
      name: tableName, sourceColumn: source, destinationColumn: destination,
      orderColumns: [inverseOrderColumn, orderColumn].compactMap { $0 })
  }

  /// Where a relationship finds its members, if this is its table.
  func storage(of other: NSRelationshipDescription) -> SQLToMany.Storage? {
    if other === relationship {
      return .join(
        table: table.name, sourceColumn: table.sourceColumn, destinationColumn: table.destinationColumn,
        orderColumn: orderColumn, inverseOrderColumn: inverseOrderColumn)
    }
    if other === relationship.inverseRelationship {
      return .join(
        table: table.name, sourceColumn: table.destinationColumn, destinationColumn: table.sourceColumn,
        orderColumn: inverseOrderColumn, inverseOrderColumn: orderColumn)
    }
    return nil
  }
}
