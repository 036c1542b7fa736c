/// Checks the tables of history, if there are any: changes belong to transactions, and to entities of the model.
struct HistoryCheck: StoreCheck {
  let title = "history"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    let present = tables.filter(store.hasTable)
    if present.isEmpty { return }
    for table in tables where !present.contains(table) {
      // Up to framework version 851, the transactions themselves had the strings.
      if table == "ATRANSACTIONSTRING", !store.hasColumn("ZAUTHORTS", in: "ATRANSACTION") { continue }
      report(
        StoreProblem(.history, at: table, "the table is missing, while \(present.joined(separator: ", ")) is there"))
    }
    /// Reports the rows of a table that meet a condition.
    func check(_ table: String, _ columns: [String], _ condition: String, _ text: String) throws {
      guard columns.allSatisfy({ store.hasColumn($0, in: table) }) else { return }
      let rows = "FROM \(table) t WHERE \(condition)"
      guard let count = try store.connection.integer("SELECT COUNT(*) \(rows)"), count > 0 else { return }
      let keys = try store.connection.rows("SELECT t.Z_PK \(rows) LIMIT \(InspectedStore.exampleLimit)")
      report(
        StoreProblem(
          .history, at: table, text, count: Int(count), examples: keys.map { "Z_PK \($0[0] ?? "NULL")" }))
    }
    if present.contains("ATRANSACTION") {
      try check(
        "ACHANGE", ["ZTRANSACTIONID"], "NOT EXISTS (SELECT 1 FROM ATRANSACTION d WHERE d.Z_PK = t.ZTRANSACTIONID)",
        "changes belong to transactions that are not there")
    }
    try check(
      "ACHANGE", ["ZCHANGETYPE"], "t.ZCHANGETYPE NOT IN (0, 1, 2) OR t.ZCHANGETYPE IS NULL",
      "changes are neither insert, update nor delete")
    if let schema = store.schema {
      try check(
        "ACHANGE", ["ZENTITY"], "t.ZENTITY NOT BETWEEN 1 AND \(schema.entities.count) OR t.ZENTITY IS NULL",
        "changes are of entities that the model does not have")
    }
    if present.contains("ATRANSACTIONSTRING") {
      for column in ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"] {
        try check(
          "ATRANSACTION", [column],
          "t.\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING d WHERE d.Z_PK = t.\(column))",
          "\(column) names strings that are not there")
      }
    }
    try checkCounters(present, store, report)
  }

  private func checkCounters(
    _ tables: [String], _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) throws {
    guard store.hasColumn("Z_MAX", in: "Z_PRIMARYKEY") else { return }
    for table in tables {
      guard let highest = try store.connection.integer("SELECT MAX(Z_PK) FROM \(table)") else { continue }
      let name = String(table.dropFirst())
      let counter = try store.connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'")
      guard let counter else {
        if highest > 0 { report(StoreProblem(.history, at: "Z_PRIMARYKEY", "there is no row for \(name)")) }
        continue
      }
      if counter < highest {
        report(
          StoreProblem(
            .history, at: table, "Z_MAX of \(name) is \(counter), but the highest Z_PK is \(highest)"))
      }
    }
  }
}
