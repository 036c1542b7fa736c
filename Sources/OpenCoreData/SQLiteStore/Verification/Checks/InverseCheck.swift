/// Checks that both sides of a one-to-one relationship have each other's key.
struct InverseCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.compactMap { column -> RowCondition? in
        guard case .toOne(let toOne) = column, let inverse = toOne.relationship.otherEnd,
          !inverse.isToMany, store.hasColumn(toOne.keyColumn, in: table.name)
        else { return nil }
        let destination = schema.destination(of: toOne)
        guard let back = destination.toOne(named: inverse.name),
          store.hasColumn(back.keyColumn, in: destination.tableName)
        else { return nil }
        let row = "d.Z_PK = t.\(toOne.keyColumn.quotedName)"
        return RowCondition(
          kind: .brokenInverse, place: "\(entity.name).\(toOne.relationship.name)",
          text: "leads to objects whose \(inverse.name) does not lead back",
          sql: "EXISTS (SELECT 1 FROM \(destination.tableName.quotedName) d WHERE \(row) "
            + "AND d.\(back.keyColumn.quotedName) IS NOT t.Z_PK)")
      }
    }
  }
}
