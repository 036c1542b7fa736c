/// A many-to-many relationship and the table that holds it; or a to-many relationship without inverse, if an existing
/// file has a table for it.
package struct JoinLayout {
  package let relationship: NSRelationshipDescription
  package let sourceNumber: Int
  package let table: SQLJoinTable
  package let orderColumn: String?
  package let inverseOrderColumn: String?

  /// The join tables of the given entities, in the order in which they are created.
  /// - Parameter names: the names that are already in use for tables.
  package static func all(
    of order: [NSEntityDescription], numbers: [ObjectIdentifier: Int], _ naming: any SQLNaming, names: SQLNames,
    existingColumns: (String) -> [String]?
  ) -> [JoinLayout] {
    var names = names
    let columns = columnNames(of: order)
    var result: [JoinLayout] = []
    for (index, entity) in order.enumerated() {
      let relationships = entity.declaredProperties.compactMap { $0 as? NSRelationshipDescription }
        .filter { $0.isToMany && !$0.isTransient && !($0.inverseRelationship.map { !$0.isToMany } ?? false) }
        .sorted { $0.name < $1.name }
      for relationship in relationships {
        guard let destination = relationship.destinationEntity, numbers[ObjectIdentifier(destination)] != nil,
          let inverse = inverseNumber(of: relationship, numbers: numbers)
        else { continue }
        let side = Side(relationship: relationship, number: index + 1, inverseNumber: inverse, naming: naming)
        // A relationship without inverse has a column in its members' table. Only files of earlier versions of this
        // library have a table for it.
        if relationship.inverseRelationship == nil, existingColumns(side.tableName) == nil { continue }
        guard namesTable(side, existingColumns: existingColumns) else { continue }
        result.append(JoinLayout(side, names: &names, columns: columns, existingColumns: existingColumns))
      }
    }
    return result
  }

  /// Returns for each many-to-many relationship the column with the keys of the entity that declares it. The name is
  /// made of the entity's number and the name of the inverse. If several columns have the same name, those after the
  /// first get a digit, in the order of the relationships' names.
  private static func columnNames(of order: [NSEntityDescription]) -> [ObjectIdentifier: String] {
    var result: [ObjectIdentifier: String] = [:]
    for (index, entity) in order.enumerated() {
      var names = SQLNames()
      let relationships = entity.declaredProperties.compactMap { $0 as? NSRelationshipDescription }
        .filter { $0.isToMany && !$0.isTransient && $0.inverseRelationship?.isToMany == true }
        .sorted { $0.name < $1.name }
      for relationship in relationships {
        let inverse = relationship.inverseRelationship?.name ?? ""
        result[ObjectIdentifier(relationship)] = names.unique("Z_\(index + 1)\(inverse.uppercased())")
      }
    }
    return result
  }

  /// One of the two relationships that a table may be named after.
  private struct Side {
    let relationship: NSRelationshipDescription
    let number: Int
    let inverseNumber: Int
    let naming: any SQLNaming

    var tableName: String { naming.pairs(of: relationship.name, (relationship.owner?.name ?? "", number)) }
    var inverseTableName: String? {
      relationship.inverseRelationship.map { naming.pairs(of: $0.name, ($0.owner?.name ?? "", inverseNumber)) }
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

  /// Whether the table is named after this side: the side of the entity with the lower number, and inside one hierarchy
  /// the relationship with the greater name. If one of the two tables already exists, it decides.
  private static func namesTable(_ side: Side, existingColumns: (String) -> [String]?) -> Bool {
    guard let inverse = side.relationship.otherEnd, inverse !== side.relationship,
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

  private init(
    _ side: Side, names: inout SQLNames, columns: [ObjectIdentifier: String], existingColumns: (String) -> [String]?
  ) {
    let relationship = side.relationship
    let inverse = relationship.inverseRelationship
    let tableName = names.unique(side.tableName)
    // These names are unique within the table only, as earlier versions of this library chose them.
    var ownNames = SQLNames()
    let sourceName = inverse?.name ?? relationship.owner?.name ?? relationship.name
    let plainSource = ownNames.unique("Z_\(side.number)\(sourceName.uppercased())")
    let plainDestination = ownNames.unique("Z_\(side.inverseNumber)\(relationship.name.uppercased())")
    var source = plainSource, destination = plainDestination
    let otherEnd = relationship.otherEnd
    if let inverse, let otherEnd, inverse !== relationship {
      source = columns[ObjectIdentifier(relationship)] ?? source
      destination = columns[ObjectIdentifier(otherEnd)] ?? destination
    }
    if let existing = existingColumns(tableName) {
      if !existing.contains(source), existing.contains(plainSource) { source = plainSource }
      if !existing.contains(destination), existing.contains(plainDestination) { destination = plainDestination }
      // A file may name one column differently, as for a relationship that has no inverse or is its own inverse.
      let keys = existing.filter { !$0.hasPrefix("Z_FOK_") && $0.isPlainName }
      if keys.count == 2, !keys.contains(source), let place = keys.firstIndex(of: destination) {
        source = keys[1 - place]
      } else if keys.count == 2, !keys.contains(destination), let place = keys.firstIndex(of: source) {
        destination = keys[1 - place]
      }
    }
    let given = side.naming.pairColumns
    if let given { (source, destination) = (given.owner, given.member) }
    let inverseIsOrdered = otherEnd.map { $0.isOrdered && $0 !== relationship } ?? false
    self.relationship = relationship
    sourceNumber = side.number
    orderColumn = relationship.isOrdered ? given?.memberPlace ?? "Z_FOK_" + destination.dropFirst(2) : nil
    inverseOrderColumn = inverseIsOrdered ? given?.ownerPlace ?? "Z_FOK_" + source.dropFirst(2) : nil
    table = SQLJoinTable(
      name: tableName, sourceColumn: source, destinationColumn: destination,
      orderColumns: [inverseOrderColumn, orderColumn].compactMap { $0 })
  }

  /// Returns where a relationship's members are stored; nil if this is not the relationship's table.
  package func storage(of other: NSRelationshipDescription) -> SQLToMany.Storage? {
    if other === relationship {
      return .join(
        table: table.name, sourceColumn: table.sourceColumn, destinationColumn: table.destinationColumn,
        orderColumn: orderColumn, inverseOrderColumn: inverseOrderColumn)
    }
    if other === relationship.otherEnd {
      return .join(
        table: table.name, sourceColumn: table.destinationColumn, destinationColumn: table.sourceColumn,
        orderColumn: inverseOrderColumn, inverseOrderColumn: orderColumn)
    }
    return nil
  }
}
