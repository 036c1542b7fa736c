/// A select that is being put together: its table, its joins and its conditions.
package final class SQLScope {
  package let table: String
  package let alias: Int
  package var joins: [SQLJoin] = []
  package var conditions: [SQLExpression] = []
  /// For the members of a to-many relationship: the column with the owner's key, and the owner's key.
  package let correlation: (column: SQLExpression, owner: SQLExpression)?
  /// Whether the owner may be missing. A key path through a missing owner gives nil, not an empty collection.
  package var isOwnerOptional = false

  private let aliases: Aliases

  /// The numbers of the tables, shared by a statement and its nested selects.
  package final class Aliases {
    private var count = 0

    package func next() -> Int {
      defer { count += 1 }
      return count
    }
  }

  package init(
    table: String, aliases: Aliases = Aliases(),
    correlation: ((Int) -> (column: SQLExpression, owner: SQLExpression))? = nil
  ) {
    self.table = table
    self.aliases = aliases
    alias = aliases.next()
    self.correlation = correlation?(alias)
  }

  /// A select inside of this one.
  package func nested(
    table: String, correlation: @escaping (Int) -> (column: SQLExpression, owner: SQLExpression)
  ) -> SQLScope {
    SQLScope(table: table, aliases: aliases, correlation: correlation)
  }

  /// A select inside of this one that does not refer to its rows.
  package func unrelated(table: String) -> SQLScope { SQLScope(table: table, aliases: aliases) }

  /// Joins a table and returns its alias.
  package func join(_ table: String, isOuter: Bool, on condition: (Int) -> SQLExpression) -> Int {
    let alias = aliases.next()
    joins.append(SQLJoin(kind: isOuter ? .outer : .inner, table: table, alias: alias, condition: condition(alias)))
    return alias
  }

  /// Turns an outer join into an inner one, for a condition that fails for rows without a partner.
  package func require(alias: Int) {
    if let index = joins.firstIndex(where: { $0.alias == alias }) { joins[index].kind = .inner }
  }

  /// The select of the scope's rows with the given result. In a correlated select the rows are restricted to the
  /// owner's members.
  ///
  /// - Parameter more: Conditions for this select only, because the scope may be used for several selects.
  package func select(_ results: [SQLExpression], where more: [SQLExpression] = [], isCorrelated: Bool = true)
    -> SQLSelect
  {
    var terms = conditions + more
    if isCorrelated, let correlation { terms.insert(.compare(.equal, correlation.column, correlation.owner), at: 0) }
    return SQLSelect(
      results: results.map { SQLResult($0) }, table: table, alias: alias, joins: joins,
      condition: terms.isEmpty ? nil : .all(terms))
  }
}
