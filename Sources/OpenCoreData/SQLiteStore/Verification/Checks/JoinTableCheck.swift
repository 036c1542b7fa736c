/// Checks the rows of many-to-many relationships: both ends exist and are of the right entities.
struct JoinTableCheck: StoreCheck {
  let schema: SQLModel

  let title = "join tables"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    var done: Set<String> = []
    for entity in schema.entities {
      for name in entity.toManys.keys.sorted() {
        guard let toMany = entity.toManys[name], let owner = toMany.relationship.owner.flatMap(schema.entity(for:)),
          case .join(let table, let source, let destination, let order, _) = toMany.storage, owner === entity,
          done.insert(table).inserted
        else { continue }
        let ends = [(source, owner), (destination, schema.destination(of: toMany))]
        guard ends.allSatisfy({ store.hasColumn($0.0, in: table) && store.hasColumn("Z_ENT", in: $0.1.tableName) })
        else { continue }
        let place = "\(entity.name).\(name)"
        var conditions = ends.flatMap { Self.conditions($0.0, $0.1, table, place) }
        if let order, store.hasColumn(order, in: table) {
          conditions.append(
            RowCondition(
              kind: .missingPosition, severity: .warning, place: place, text: "\(order) in \(table) gives no position",
              sql: "j.\(order.quotedName) IS NULL"))
        }
        try check(conditions, table, ends.map(\.0), store, report)
      }
    }
  }

  /// Returns the conditions that no row may meet for the key of one end.
  private static func conditions(
    _ column: String, _ end: SQLEntity, _ table: String, _ place: String
  ) -> [RowCondition] {
    let key = "j.\(column.quotedName)"
    let rows = "FROM \(end.tableName.quotedName) d WHERE d.Z_PK = \(key)"
    let orphan = RowCondition(
      kind: .orphanJoinRow, place: place,
      text: "\(column) in \(table) names rows of \(end.tableName) that are not there",
      sql: "NOT EXISTS (SELECT 1 \(rows))")
    guard end.sharesTable else { return [orphan] }
    return [
      orphan,
      RowCondition(
        kind: .wrongJoinEntity, place: place, text: "\(column) in \(table) names objects that are no \(end.name)",
        sql: "EXISTS (SELECT 1 \(rows) AND \(end.exclusion("d")))"),
    ]
  }

  private func check(
    _ conditions: [RowCondition], _ table: String, _ columns: [String], _ store: InspectedStore,
    _ report: (StoreProblem) -> Void
  ) throws {
    let counts = conditions.map { "COUNT(CASE WHEN \($0.sql) THEN 1 END)" }.joined(separator: ", ")
    let row = try store.connection.rows("SELECT \(counts) FROM \(table.quotedName) j").first ?? []
    for (condition, count) in zip(conditions, row) {
      guard let count = count.flatMap({ Int($0) }), count > 0 else { continue }
      let keys = columns.map { "j.\($0.quotedName)" }.joined(separator: ", ")
      let examples = try store.connection.rows(
        "SELECT \(keys) FROM \(table.quotedName) j WHERE \(condition.sql) LIMIT \(InspectedStore.exampleLimit)")
      report(
        StoreProblem(
          condition.kind, condition.severity, at: condition.place, condition.text, count: count,
          examples: examples.map { row in row.map { $0 ?? "NULL" }.joined(separator: " - ") }))
    }
  }
}
