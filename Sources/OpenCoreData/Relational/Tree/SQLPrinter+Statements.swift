extension SQLPrinter {
  /// Prints a SELECT.
  mutating func print(_ select: SQLSelect) {
    write(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    for (index, result) in select.results.enumerated() {
      if index > 0 { write(", ") }
      print(result.expression)
      if let name = result.name { write(" AS \(name)") }
    }
    write(" FROM \(select.table) t\(select.alias)")
    for join in select.joins {
      write(join.isOuter ? " LEFT OUTER JOIN " : " JOIN ")
      write("\(join.table) t\(join.alias) ON ")
      print(join.condition)
    }
    printCondition(select.condition, after: " WHERE ")
    for (index, group) in select.groups.enumerated() {
      write(index == 0 ? " GROUP BY " : ", ")
      print(group)
    }
    printCondition(select.groupCondition, after: " HAVING ")
    for (index, order) in select.order.enumerated() {
      write(index == 0 ? " ORDER BY " : ", ")
      print(order.expression)
      if order.isDescending { write(" DESC") }
    }
    printLimit(select)
  }

  /// Limit and offset are variables, so that all pages share one statement.
  private mutating func printLimit(_ select: SQLSelect) {
    guard select.limit > 0 || select.offset > 0 else { return }
    write(" LIMIT ")
    bind(.integer(select.limit > 0 ? Int64(select.limit) : -1))
    guard select.offset > 0 else { return }
    write(" OFFSET ")
    bind(.integer(Int64(select.offset)))
  }

  private mutating func printCondition(_ condition: SQLExpression?, after keyword: String) {
    guard let condition else { return }
    write(keyword)
    // The outermost chain needs no parentheses; a long one is balanced and keeps them.
    if case .and(let terms) = condition, (2...16).contains(terms.count) {
      for (index, term) in terms.enumerated() {
        if index > 0 { write(" AND ") }
        print(term)
      }
    } else {
      print(condition)
    }
  }

  /// Prints an UPDATE or DELETE.
  mutating func print(_ change: SQLChange) {
    if change.assignments.isEmpty {
      write("DELETE FROM \(change.table) AS t\(change.alias)")
    } else {
      write("UPDATE \(change.table) AS t\(change.alias) SET ")
      for (index, assignment) in change.assignments.enumerated() {
        if index > 0 { write(", ") }
        write("\(assignment.column) = ")
        print(assignment.value)
      }
    }
    printCondition(change.condition, after: " WHERE ")
    if !change.returning.isEmpty { write(" RETURNING \(change.returning.joined(separator: ", "))") }
  }
}

extension SQLSelect {
  /// The statement's text and bindings.
  func statement(dialect: any SQLDialect = SQLiteDialect()) -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    printer.print(self)
    return printer.statement
  }
}

extension SQLChange {
  /// The statement's text and bindings.
  func statement(dialect: any SQLDialect = SQLiteDialect()) -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    printer.print(self)
    return printer.statement
  }
}
