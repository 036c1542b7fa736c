/// Checks that both sides of a one-to-one relationship have each other's key.
///
/// Stores of Apple's own applications have relationships with one side alone, and work: the other side reads nil. That is
/// a warning; sides that lead to different objects contradict each other.
struct InverseCheck: RowCheck {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition] {
    table.entities(of: schema).flatMap { entity in
      entity.ownColumns.flatMap { column -> [RowCondition] in
        guard case .toOne(let toOne) = column, let inverse = toOne.relationship.otherEnd,
          !inverse.isToMany, store.hasColumn(toOne.keyColumn, in: table.name)
        else { return [] }
        let destination = schema.destination(of: toOne)
        guard let back = destination.toOne(named: inverse.name),
          store.hasColumn(back.keyColumn, in: destination.tableName)
        else { return [] }
        let row = "d.Z_PK = t.\(toOne.keyColumn.quotedName)"
        func condition(_ severity: StoreProblem.Severity, _ text: String, _ test: String) -> RowCondition {
          RowCondition(
            kind: .brokenInverse, severity: severity, place: "\(entity.name).\(toOne.relationship.name)", text: text,
            sql: "EXISTS (SELECT 1 FROM \(destination.tableName.quotedName) d WHERE \(row) "
              + "AND d.\(back.keyColumn.quotedName) \(test))")
        }
        return [
          condition(.error, "leads to objects whose \(inverse.name) leads to another", "<> t.Z_PK"),
          condition(
            .warning, "leads to objects whose \(inverse.name) is nil: from their side there is none", "IS NULL"),
        ]
      }
    }
  }
}
