extension SQLPrinter {
  /// Prints a SELECT.
  package mutating func print(_ select: SQLSelect) {
    let select = dialect.restated(select)
    let outerTables = tables
    tables.note(select)
    defer { tables = outerTables }
    if let rows = select.rows { print(rows) }
    write(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let outer = inlinesValues
    let inlines = outer || dialect.inlinesValuesOfGroups && (!select.groups.isEmpty || select.isDistinct)
    inlinesValues = inlines
    for (index, result) in select.results.enumerated() {
      if index > 0 { write(", ") }
      dialect.print(result: result.expression, with: &self)
      if let name = result.name { write(" AS \(name)") }
    }
    inlinesValues = outer
    write(" FROM ")
    if let keys = select.keys { dialect.writeRows(of: keys, to: &self) }
    write(dialect.quoted(select.table))
    writeAlias(select.alias, " t")
    for join in select.joins {
      write(dialect.words(for: join.kind))
      write("\(dialect.quoted(join.table)) t\(join.alias) ON ")
      print(join.condition)
    }
    if let keys = select.keys { dialect.writeCondition(of: keys, alias: select.alias, to: &self) }
    printCondition(select.condition, after: select.keys == nil ? " WHERE " : " AND ")
    inlinesValues = inlines
    for (index, group) in select.groups.enumerated() {
      write(index == 0 ? " GROUP BY " : ", ")
      dialect.print(result: group, with: &self)
    }
    printCondition(select.groupCondition, after: " HAVING ")
    for (index, order) in select.order.enumerated() {
      write(index == 0 ? " ORDER BY " : ", ")
      print(order.expression)
      if !order.isAlwaysThere { write(dialect.suffix(ofOrderThatIsDescending: order.isDescending)) }
    }
    inlinesValues = outer
    if select.limit > 0 || select.offset > 0 {
      dialect.writePage(limit: select.limit, offset: select.offset, to: &self)
    }
    if select.isFirstOnly { write(" LIMIT 1") }
  }

  /// Prints a SELECT of the number of rows that another one gives.
  package mutating func printCount(of select: SQLSelect) {
    write("SELECT \(dialect.name(of: .count) ?? "COUNT")(*) FROM (")
    print(select)
    write(")\(dialect.suffixOfNestedTable)")
  }

  private mutating func print(_ list: SQLRowList) {
    write("WITH \(dialect.quoted(list.name))(\(list.columns.map(dialect.quoted).joined(separator: ", "))) AS (VALUES ")
    for (index, row) in list.rows.enumerated() {
      write(index == 0 ? "(" : ", (")
      for (index, value) in row.enumerated() {
        if index > 0 { write(", ") }
        print(value)
      }
      write(")")
    }
    write(") ")
  }

  private mutating func writeAlias(_ alias: Int?, _ words: String) {
    guard let alias else { return }
    write(words)
    write(String(alias))
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
  package mutating func print(_ change: SQLChange) {
    let outerTables = tables
    tables.note(change.table, change.alias)
    defer { tables = outerTables }
    if change.assignments.isEmpty {
      write("DELETE FROM \(dialect.quoted(change.table))")
      writeAlias(change.alias, " AS t")
    } else {
      write("UPDATE \(dialect.quoted(change.table))")
      writeAlias(change.alias, " AS t")
      write(" SET ")
      for (index, assignment) in change.assignments.enumerated() {
        if index > 0 { write(", ") }
        write("\(dialect.quoted(assignment.column)) = ")
        dialect.print(assignment, with: &self)
      }
    }
    printCondition(change.condition, after: " WHERE ")
    if !change.returning.isEmpty { write(" RETURNING \(change.returning.map(dialect.quoted).joined(separator: ", "))") }
  }
}
