/// The places in which one database's SQL differs from the printer's plain SQL.
protocol SQLDialect: Sendable {
  /// Prints the expression, or gives back false to have it printed the plain way.
  func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool
}

/// SQLite, with the functions and collations of `SQLFunction` registered on the connection.
struct SQLiteDialect: SQLDialect {
  func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool {
    switch expression {
    case .inKeys(let operand, let keys):
      printer.print(operand)
      printer.write(" IN (SELECT value FROM json_each(")
      printer.bind(SQLValue(keys: keys))
      printer.write("))")
    case .inList(let operand, let list):
      printer.print(operand)
      let value = list.function.map { "\($0)(value)" } ?? "value"
      printer.write(" IN (SELECT \(value) FROM json_each(")
      printer.bind(list.json)
      printer.write("))")
    case .isSameString(let options, let string, let list):
      let value = list.function.map { "\($0)(value)" } ?? "value"
      printer.write("EXISTS (SELECT 1 FROM json_each(")
      printer.bind(list.json)
      printer.write(") WHERE \(SQLFunction.stringCompare)(")
      printer.print(string)
      printer.write(", \(value), \(options.rawValue)) = 0)")
    case .stringTest(let test, let options, let string, let pattern):
      printer.write("\(SQLFunction.stringSearch)(")
      printer.print(string)
      printer.write(", ")
      printer.print(pattern)
      printer.write(", \(options.rawValue), \(test.rawValue))")
    case .stringOrder(let options, let first, let second):
      printer.write("\(SQLFunction.stringCompare)(")
      printer.print(first)
      printer.write(", ")
      printer.print(second)
      printer.write(", \(options.rawValue))")
    case .unselective(let condition):
      // A hint for the planner: take the index only where nothing else helps.
      printer.write("likelihood(")
      printer.print(condition)
      printer.write(", 0.4)")
    default: return false
    }
    return true
  }
}
