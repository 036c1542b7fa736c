/// How a query is answered: its statement, and what SQLite does for it.
package struct ExplainedQuery: Sendable {
  package let sql: String
  /// The values of the variables; empty where they are not known.
  package let bindings: [String]
  /// SQLite's plan, each step indented as deep as it is.
  package let plan: [String]

  package init(sql: String, bindings: [String], plan: [String]) {
    (self.sql, self.bindings, self.plan) = (sql, bindings, plan)
  }

  /// The names of the indexes that are used, each once.
  package var indexes: [String] {
    var names: [String] = []
    for step in plan {
      guard !step.contains("VIRTUAL TABLE"), let mark = step.range(of: "INDEX ") else { continue }
      let name = String(step[mark.upperBound...].prefix { $0 != " " })
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether rows are put into order after they were read, since no index has them in that order.
  package var sorts: Bool { plan.contains { $0.contains("TEMP B-TREE") && $0.contains("ORDER BY") } }

  /// Whether rows are put into groups after they were read, since no index has those of a group side by side.
  package var groups: Bool { plan.contains { $0.contains("TEMP B-TREE") && $0.contains("GROUP BY") } }

  /// Whether every row of the table that is asked for is looked at, in the table or in an index that has what is needed.
  package var scansTable: Bool { plan.contains { $0.hasPrefix("SCAN t0") } }
}

extension SQLiteConnection {
  /// SQLite's plan for a statement, each step indented as deep as it is.
  /// - Throws: the file's error for what is no statement.
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
