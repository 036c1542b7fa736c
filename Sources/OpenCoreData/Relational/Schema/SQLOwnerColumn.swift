/// The column of the members' table that says whose members they are, of a to-many relationship without inverse.
///
/// No property of the member stands for it: the owner's save writes it. A member has one owner.
struct SQLOwnerColumn: Sendable {
  let relationship: NSRelationshipDescription
  /// The number of the entity that declares the relationship.
  let ownerNumber: Int
  /// The number of the members' entity.
  let destinationNumber: Int
  /// The column with the owner's key.
  let keyColumn: String
  /// The column with the position among the owner's members, where they have an order.
  let orderColumn: String?

  /// The columns in the tables of the given entities, by the number of the members' root entity. A relationship that a file
  /// keeps in a table of its own, as earlier versions of this library wrote it, has none: `joins` has those with a table.
  static func all(
    of order: [NSEntityDescription], numbers: [ObjectIdentifier: Int], tableNames: [ObjectIdentifier: String],
    declared: [DeclaredColumns], joins: Set<ObjectIdentifier>, existingColumns: (String) -> [String]?
  ) -> [Int: [SQLOwnerColumn]] {
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
            taken: SQLiteDialect.columns.all
              + order.indices.filter { order[$0].rootEntity === destination.rootEntity }
              .flatMap { declared[$0].columns.flatMap(\.allNames) })
        // An attribute may be called as such a column is: 2parts.
        let existing = (existingColumns(tableNames[ObjectIdentifier(destination.rootEntity)] ?? "") ?? [])
          .filter { !taken.contains($0) }
        let base = Self.base(relationship.name.uppercased(), number: index + 1, existing)
        let column = SQLOwnerColumn(
          relationship: relationship, ownerNumber: index + 1, destinationNumber: number,
          keyColumn: taken.unique("Z\(base)"),
          orderColumn: relationship.isOrdered ? taken.unique("Z_FOK_\(base)") : nil)
        names[root] = taken
        result[root, default: []].append(column)
      }
    }
    return result
  }

  /// Number and name of a column. A file that was migrated may have the number from before.
  private static func base(_ name: String, number: Int, _ existing: [String]) -> String {
    let usual = "\(number)\(name)"
    if existing.isEmpty || existing.contains("Z" + usual) { return usual }
    let others = existing.filter { column in
      guard column.hasPrefix("Z"), column.hasSuffix(name) else { return false }
      let digits = column.dropFirst().dropLast(name.count)
      return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return others.count == 1 ? String(others[0].dropFirst()) : usual
  }
}
