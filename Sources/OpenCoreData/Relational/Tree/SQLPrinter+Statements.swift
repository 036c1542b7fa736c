extension SQLPrinter {
  /// Prints a SELECT.
  mutating func print(_ select: SQLSelect) {
    write(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    for (index, result) in select.results.enumerated() {
      if index > 0 { write(", ") }
      print(result.expression)
      if let name = result.name { write(" AS \(name)") }
    }
    write(" FROM \(dialect.quoted(select.table)) t\(select.alias)")
    for join in select.joins {
      write(join.isOuter ? " LEFT OUTER JOIN " : " JOIN ")
      write("\(dialect.quoted(join.table)) t\(join.alias) ON ")
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
      write(dialect.suffix(ofOrderThatIsDescending: order.isDescending))
    }
    if select.limit > 0 || select.offset > 0 {
      dialect.writePage(limit: select.limit, offset: select.offset, to: &self)
    }
  }

  /// Prints a SELECT of the number of rows that another one gives.
  mutating func printCount(of select: SQLSelect) {
    write("SELECT \(dialect.name(of: .count) ?? "COUNT")(*) FROM (")
    print(select)
    write(")\(dialect.suffixOfNestedTable)")
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
      write("DELETE FROM \(dialect.quoted(change.table)) AS t\(change.alias)")
    } else {
      write("UPDATE \(dialect.quoted(change.table)) AS t\(change.alias) SET ")
      for (index, assignment) in change.assignments.enumerated() {
        if index > 0 { write(", ") }
        write("\(dialect.quoted(assignment.column)) = ")
        print(assignment.value)
      }
    }
    printCondition(change.condition, after: " WHERE ")
    if !change.returning.isEmpty { write(" RETURNING \(change.returning.map(dialect.quoted).joined(separator: ", "))") }
  }
}

extension SQLSelect {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
  func statement(_ dialect: any SQLDialect) throws -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    printer.print(self)
    return try printer.statement()
  }
}

extension SQLChange {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
  func statement(_ dialect: any SQLDialect) throws -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    printer.print(self)
    return try printer.statement()
  }
}
