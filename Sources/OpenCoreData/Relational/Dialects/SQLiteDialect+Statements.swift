// Statements that select rows by key, and statements that change rows.
extension SQLiteDialect {
  package func words(for join: SQLJoin.Kind) -> String {
    switch join {
    case .inner: " JOIN "
    case .outer: " LEFT OUTER JOIN "
    case .inOrder: " CROSS JOIN "
    }
  }

  /// Writes several keys as a joined list of VALUES, which SQLite reads as it is. For `IN (?, ...)`, SQLite would first
  /// make a table in each run, which costs more than reading the rows if they are few, and a fifth more if they are
  /// many.
  package func writeRows(of keys: SQLKeyList, to printer: inout SQLPrinter) {
    guard keys.count > 1 else { return }
    printer.write("(VALUES ")
    for place in 0..<keys.count {
      printer.write(place == 0 ? "(" : ",(")
      printer.print(.parameter(.key))
      printer.write(")")
    }
    printer.write(") k CROSS JOIN ")
  }

  package func writeCondition(of keys: SQLKeyList, alias: Int?, to printer: inout SQLPrinter) {
    printer.write(" WHERE  \(alias.map { "t\($0)." } ?? "")\(keys.column) = ")
    if keys.count > 1 { printer.write("k.column1") } else { printer.print(.parameter(.key)) }
  }

  package func restated(_ select: SQLSelect) -> SQLSelect { select }

  package func print(result: SQLExpression, with printer: inout SQLPrinter) { printer.print(result) }

  package func print(_ assignment: SQLAssignment, with printer: inout SQLPrinter) { printer.print(assignment.value) }

  package func beginOfInsert(thatLeavesOutConflicts leavesOut: Bool) -> String {
    leavesOut ? "INSERT OR IGNORE INTO" : "INSERT INTO"
  }

  package var endOfInsertThatLeavesOutConflicts: String { "" }
}
