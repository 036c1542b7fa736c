/// Checks that the keys of to-one relationships, and of owners in relationships without inverse, lead to rows that exist and
/// are of the right entity, and that the column beside a key has the number of that entity.
struct ToOneCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.flatMap { column -> [RowCondition] in
        guard case .toOne(let toOne) = column, store.hasColumn(toOne.keyColumn, in: table.name) else { return [] }
        return conditions(entity, toOne, schema, table, store)
      }
    } + owners(table, schema, store)
  }

  /// Returns the conditions for keys of owners that do not exist, in relationships without inverse.
  private func owners(_ table: SQLTable, _ schema: SQLModel, _ store: InspectedStore) -> [RowCondition] {
    table.ownerColumns.compactMap { column in
      guard let owner = schema.entity(number: column.ownerNumber), store.hasColumn(column.keyColumn, in: table.name),
        store.hasTable(owner.tableName)
      else { return nil }
      let key = "t.\(column.keyColumn.quotedName)"
      return RowCondition(
        kind: .danglingKey, place: "\(owner.name).\(column.relationship.name)",
        text: "\(column.keyColumn) names rows of \(owner.tableName) that are not there",
        sql:
          "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(owner.tableName.quotedName) d WHERE d.Z_PK = \(key))")
    }
  }

  private func conditions(
    _ entity: SQLEntity, _ toOne: SQLToOne, _ schema: SQLModel, _ table: SQLTable, _ store: InspectedStore
  ) -> [RowCondition] {
    let destination = schema.destination(of: toOne)
    guard store.hasColumn("Z_ENT", in: destination.tableName) else { return [] }
    let place = "\(entity.name).\(toOne.relationship.name)"
    let key = "t.\(toOne.keyColumn.quotedName)"
    let rows = "FROM \(destination.tableName.quotedName) d WHERE d.Z_PK = \(key)"
    var result = [
      RowCondition(
        kind: .danglingKey, place: place,
        text: "\(toOne.keyColumn) names rows of \(destination.tableName) that are not there",
        sql: "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 \(rows))")
    ]
    if destination.sharesTable {
      result.append(
        RowCondition(
          kind: .wrongDestination, place: place, text: "leads to objects that are no \(destination.name)",
          sql: "EXISTS (SELECT 1 \(rows) AND \(destination.exclusion("d")))"))
    }
    if let column = toOne.entityColumn, store.hasColumn(column, in: table.name) {
      result.append(
        RowCondition(
          kind: .wrongEntityColumn, place: place,
          text: "\(column) is not Z_ENT of the row that \(toOne.keyColumn) names",
          sql: "EXISTS (SELECT 1 \(rows) AND d.Z_ENT IS NOT t.\(column.quotedName))"))
    }
    return result
  }
}
