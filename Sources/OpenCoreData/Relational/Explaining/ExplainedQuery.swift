/// How the database answers a query: the statement, the database's plan, and what the plan tells about indexes.
package struct ExplainedQuery: Sendable {
  package let sql: String
  /// The values of the variables; empty if they are not known.
  package let bindings: [String]
  /// The plan in the database's own words. Each step is indented by its depth.
  package let plan: [String]
  /// The plan in terms of entities; nil if only the database's own words are available.
  package let words: [String]?
  /// The names of the indexes that are used, without duplicates.
  package let indexes: [String]
  /// Whether the database sorts rows after reading them, because no index has them in the wanted order.
  package let sorts: Bool
  /// Whether the database groups rows after reading them, because no index has the rows of a group side by side.
  package let groups: Bool
  /// Whether the database reads every row of the queried table, in the table itself or in an index that has the needed
  /// columns.
  package let scansTable: Bool
  /// The number of rows of that table that the database expects to read; nil if the database gives no number.
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
