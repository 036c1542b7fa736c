// Statements that select rows by key, and statements that change rows.
extension PostgreSQLDialect {
  /// The server chooses the order of joined tables itself.
  package func words(for join: SQLJoin.Kind) -> String { join == .outer ? " LEFT OUTER JOIN " : " JOIN " }

  package func writeRows(of keys: SQLKeyList, to printer: inout SQLPrinter) {}

  /// Writes the same text for any number of keys.
  package func writeCondition(of keys: SQLKeyList, alias: Int?, to printer: inout SQLPrinter) {
    printer.write(" WHERE \(alias.map { "t\($0)." } ?? "")\(quoted(keys.column)) = ANY(")
    printer.print(SQLParameter(content: .keys, number: nil))
    printer.write(")")
  }

  /// Strings that an order treats as equal because of their numbers, such as `a01` and `a001`, are ordered by their
  /// lengths. A DISTINCT select becomes a grouped one if it sorts by more than its columns, which DISTINCT forbids.
  package func restated(_ select: SQLSelect) -> SQLSelect {
    var select = select
    select.order = select.order.flatMap { order -> [SQLOrder] in
      guard case .collated(let string, .localizedStandard) = order.expression else { return [order] }
      let length = SQLExpression.function(.length, [string])
      return [order, SQLOrder(expression: length, isDescending: order.isDescending)]
    }
    guard select.isDistinct, select.groups.isEmpty, select.groupCondition == nil else { return select }
    let isCollated = select.order.contains { if case .collated = $0.expression { true } else { false } }
    var columns: [SQLExpression] = []
    for result in select.results {
      switch result.expression {
      case .column(let alias, let name, _): columns.append(.column(alias: alias, name: name))
      case .integer: break
      default: return select
      }
    }
    guard isCollated, !columns.isEmpty else { return select }
    (select.isDistinct, select.groups) = (false, columns)
    return select
  }

  /// Prints a column unconverted. A Boolean is converted to a number only where the statement computes with it.
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
