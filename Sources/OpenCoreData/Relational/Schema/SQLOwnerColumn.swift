/// The column of the members' table that holds the owner's key, for a to-many relationship without inverse.
///
/// No property of the member corresponds to the column: the save of the owner writes it. A member has one owner.
package struct SQLOwnerColumn: Sendable {
  package let relationship: NSRelationshipDescription
  /// The number of the entity that declares the relationship.
  package let ownerNumber: Int
  /// The number of the members' entity.
  package let destinationNumber: Int
  /// The column with the owner's key.
  package let keyColumn: String
  /// The column with the position among the owner's members, if they have an order.
  package let orderColumn: String?

  /// The columns in the tables of the given entities, by the number of the members' root entity. A relationship that a
  /// file keeps in a table of its own, as earlier versions of this library wrote it, has no such column: `joins`
  /// contains these relationships.
  package static func all(
    of order: [NSEntityDescription], numbers: [ObjectIdentifier: Int], tableNames: [ObjectIdentifier: String],
    declared: [DeclaredColumns], _ dialect: any SQLDialect, joins: Set<ObjectIdentifier>,
    existingColumns: (String) -> [String]?
  ) -> [Int: [SQLOwnerColumn]] {
    let naming = dialect.naming
    var names: [Int: SQLNames] = [:]
    var result: [Int: [SQLOwnerColumn]] = [:]
    for (index, entity) in order.enumerated() {
      let relationships = entity.declaredProperties.compactMap { $0 as? NSRelationshipDescription }
        .filter { $0.isToMany && !$0.isTransient && $0.inverseRelationship == nil }
        .sorted { $0.name < $1.name }
      for relationship in relationships where !joins.contains(ObjectIdentifier(relationship)) {
        guard let destination = relationship.destinationEntity, let number = numbers[ObjectIdentifier(destination)],
          let root = numbers[ObjectIdentifier(destination.rootEntity)]
        else { continue }
        var taken =
          names[root]
          ?? SQLNames(
            taken: dialect.columns.all
              + order.indices.filter { order[$0].rootEntity === destination.rootEntity }
              .flatMap { declared[$0].columns.flatMap(\.allNames) }, ignoresCase: naming.ignoresCase)
        // An attribute may have the same name as such a column, for example `2parts`.
        let existing = (existingColumns(tableNames[ObjectIdentifier(destination.rootEntity)] ?? "") ?? [])
          .filter { !taken.contains($0) }
        let key = taken.unique(
          naming.owner(of: relationship.name, (entity.name ?? "", index + 1), existing: existing))
        let column = SQLOwnerColumn(
          relationship: relationship, ownerNumber: index + 1, destinationNumber: number,
          keyColumn: key, orderColumn: relationship.isOrdered ? taken.unique(naming.place(besides: key)) : nil)
        names[root] = taken
        result[root, default: []].append(column)
      }
    }
    return result
  }
}
