/// Checks the rows of a root entity's table: the entities that they are of, their values, and the rows to which their keys
/// lead.
struct TableCheck: StoreCheck {
  let schema: SQLModel
  let table: SQLTable

  var title: String { "table \(table.name)" }

  private static let checks: [any RowCheck] = [
    StorageClassCheck(), ValueRangeCheck(), MandatoryValueCheck(), ToOneCheck(), InverseCheck(), PositionCheck(),
  ]
  /// The number of conditions that one statement counts: SQLite limits the number of columns and the depth of expressions.
  private static let batch = 200

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    guard ["Z_PK", "Z_ENT"].allSatisfy({ store.hasColumn($0, in: table.name) }) else { return }
    try EntityOfRowsCheck(schema: schema, table: table).run(on: store, report)
    try ValidText.register(on: store.connection)
    let conditions = Self.checks.flatMap { $0.conditions(for: table, of: schema, in: store) }
    for start in stride(from: 0, to: conditions.count, by: Self.batch) {
      let part = conditions[start..<min(start + Self.batch, conditions.count)]
      let counts = part.map { "COUNT(CASE WHEN \($0.sql) THEN 1 END)" }.joined(separator: ", ")
      let row = try store.connection.rows("SELECT \(counts) FROM \(table.name.quotedName) t").first ?? []
      for (condition, count) in zip(part, row) {
        guard let count = count.flatMap({ Int($0) }), count > 0 else { continue }
        let examples = try store.examples(
          "SELECT t.Z_ENT, t.Z_PK FROM \(table.name.quotedName) t WHERE \(condition.sql)")
        report(
          StoreProblem(
            condition.kind, condition.severity, at: condition.place, condition.text, count: count, examples: examples))
      }
    }
  }
}
