// Statements whose rows are asked for by key, and those that change rows.
extension PostgreSQLDialect {
  /// The server chooses the order of joined tables itself.
  package func words(for join: SQLJoin.Kind) -> String { join == .outer ? " LEFT OUTER JOIN " : " JOIN " }

  package func writeRows(of keys: SQLKeyList, to printer: inout SQLPrinter) {}

  /// One text for any number of keys.
  package func writeCondition(of keys: SQLKeyList, alias: Int?, to printer: inout SQLPrinter) {
    printer.write(" WHERE \(alias.map { "t\($0)." } ?? "")\(quoted(keys.column)) = ANY(")
    printer.print(SQLParameter(content: .keys, number: nil))
    printer.write(")")
  }

  /// A column as it is: a Boolean is made a number only where it is computed with.
  package func print(result: SQLExpression, with printer: inout SQLPrinter) {
    if case .column(let alias, let name, .some) = result {
      printer.print(.column(alias: alias, name: name))
    } else {
      printer.print(result)
    }
  }

  package func print(_ assignment: SQLAssignment, with printer: inout SQLPrinter) {
    switch (assignment.type, assignment.value) {
    case (let type?, .value(let value)) where value != .null: printer.print(.typedValue(value, type))
    case (_, .value), (_, .null), (_, .parameter), (nil, _): printer.print(assignment.value)
    case (.boolean?, let value): printer.say("(\(value) <> 0)")
    case (let type?, let value): printer.say("(\(value))::\(word: typeName(type))")
    }
  }

  package func beginOfInsert(thatLeavesOutConflicts leavesOut: Bool) -> String { "INSERT INTO" }

  package var endOfInsertThatLeavesOutConflicts: String { " ON CONFLICT DO NOTHING" }
}
