/// Checks that the members of ordered relationships have positions.
struct PositionCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.compactMap { column -> RowCondition? in
        guard case .toOne(let toOne) = column, let order = toOne.orderColumn,
          store.hasColumn(order, in: table.name), store.hasColumn(toOne.keyColumn, in: table.name)
        else { return nil }
        return RowCondition(
          kind: .missingPosition, severity: .warning, place: "\(entity.name).\(toOne.relationship.name)",
          text:
            "\(order) gives no position in the ordered \(toOne.relationship.orderedList?.name ?? "inverse")",
          sql: "t.\(toOne.keyColumn.quotedName) IS NOT NULL AND t.\(order.quotedName) IS NULL")
      }
    }
  }
}
