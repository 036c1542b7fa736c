/// How a query is answered: its statement, the database's plan, and which indexes it uses or lacks.
package struct ExplainedQuery: Sendable {
  package let sql: String
  /// The values of the variables; empty where they are not known.
  package let bindings: [String]
  /// The database's plan in its own words, with each step indented by its level.
  package let plan: [String]
  /// The plan in words, with the names of entities; nil if there is only the database's own plan.
  package let words: [String]?
  /// The names of the indexes that are used, each once.
  package let indexes: [String]
  /// Whether rows are sorted after they were read, because no index has them in that order.
  package let sorts: Bool
  /// Whether rows are grouped after they were read, because no index has the rows of a group one after the other.
  package let groups: Bool
  /// Whether every row of the table is examined, in the table or in an index that has the needed columns.
  package let scansTable: Bool
  /// The number of rows of that table that the database expects to examine; nil if it does not say.
  package let examined: Int?

  package init(
    sql: String, bindings: [String], plan: [String], words: [String]?, indexes: [String], sorts: Bool, groups: Bool,
    scansTable: Bool, examined: Int?
  ) {
    (self.sql, self.bindings, self.plan, self.words) = (sql, bindings, plan, words)
    (self.indexes, self.sorts, self.groups, self.scansTable) = (indexes, sorts, groups, scansTable)
    self.examined = examined
  }
}
