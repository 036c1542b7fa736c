/// How a query is answered: its statement, what the database does for it, and what that says about indexes.
package struct ExplainedQuery: Sendable {
  package let sql: String
  /// The values of the variables; empty where they are not known.
  package let bindings: [String]
  /// The database's plan in its own words, each step indented as deep as it is.
  package let plan: [String]
  /// The plan in words for people who think in entities; nil where the database's own have to do.
  package let words: [String]?
  /// The names of the indexes that are used, each once.
  package let indexes: [String]
  /// Whether rows are put into order after they were read, since no index has them in that order.
  package let sorts: Bool
  /// Whether rows are put into groups after they were read, since no index has those of a group side by side.
  package let groups: Bool
  /// Whether every row of the table that is asked for is looked at, in the table or in an index that has what is needed.
  package let scansTable: Bool
  /// How many rows of that table the database expects to look at; nil where it does not say.
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
