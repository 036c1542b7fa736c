extension ExplainedQuery {
  /// Makes an explained query of a statement and the plan that SQLite's EXPLAIN QUERY PLAN gives for it.
  package init(sql: String, bindings: [String], sqlitePlan plan: [String]) {
    func uses(_ clause: String) -> Bool { plan.contains { $0.contains("TEMP B-TREE") && $0.contains(clause) } }
    self.init(
      sql: sql, bindings: bindings, plan: plan, words: nil, indexes: Self.indexes(plan), sorts: uses("ORDER BY"),
      groups: uses("GROUP BY"), scansTable: plan.contains { $0.hasPrefix("SCAN t0") }, examined: nil)
  }

  private static func indexes(_ plan: [String]) -> [String] {
    var names: [String] = []
    for step in plan {
      guard !step.contains("VIRTUAL TABLE"), let mark = step.range(of: "INDEX ") else { continue }
      let name = String(step[mark.upperBound...].prefix { $0 != " " })
      if !name.isEmpty, !names.contains(name) { names.append(name) }
    }
    return names
  }
}
