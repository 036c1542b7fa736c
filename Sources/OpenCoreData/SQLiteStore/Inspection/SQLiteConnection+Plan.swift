extension SQLiteConnection {
  /// Returns SQLite's plan for a statement; each step is indented by its depth.
  /// - Throws: SQLite's error if `sql` is not a statement.
  func plan(of sql: String, _ bindings: [SQLValue] = []) throws -> [String] {
    let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: self)
    statement.bind(bindings)
    defer { statement.reset() }
    var depths: [Int64: Int] = [:]
    var plan: [String] = []
    while try statement.step() {
      let depth = (depths[statement.int(1)] ?? -1) + 1
      depths[statement.int(0)] = depth
      plan.append(String(repeating: "  ", count: depth) + (statement.string(3) ?? ""))
    }
    return plan
  }
}
