// Columns of types that the server compares only with the same type: a Boolean is not a number, and a UUID is not data.
extension PostgreSQLDialect {
  /// Returns the same expression with values in the types of the columns that they are compared with, and with Booleans
  /// that need not be converted to numbers; nil if there is nothing to change.
  package static func withTypes(_ expression: SQLExpression) -> SQLExpression? {
    switch expression {
    case .compare(let comparison, let left, let right):
      if let (left, right) = typed(left, right) { return .compare(comparison, left, right) }
      if let (right, left) = typed(right, left) { return .compare(comparison, left, right) }
      return nil
    case .between(let column, let low, let high):
      guard let (plain, first) = typed(column, low), let (_, last) = typed(column, high) else { return nil }
      return .between(plain, first, last)
    case .isNull(let operand): return plain(operand).map { .isNull($0) }
    case .isNotNull(let operand): return plain(operand).map { .isNotNull($0) }
    default: return nil
    }
  }

  /// Returns a column and the operand that it is compared with, in the column's type; nil if the operand is not of that
  /// type.
  private static func typed(_ column: SQLExpression, _ other: SQLExpression) -> (SQLExpression, SQLExpression)? {
    guard case .column(let alias, let name, let type?) = column else { return nil }
    let plain = SQLExpression.column(alias: alias, name: name)
    switch (type, other) {
    case (.boolean, .value(.integer(let value))) where value == 0 || value == 1:
      return (plain, .typedValue(.integer(value), type))
    case (.boolean, .column(let alias, let name, .boolean?)): return (plain, .column(alias: alias, name: name))
    case (.uuid, .value(.blob(let value))) where value.count == 16: return (plain, .typedValue(.blob(value), type))
    default: return nil
    }
  }

  /// Returns a Boolean column without the conversion to a number; nil for any other expression.
  private static func plain(_ expression: SQLExpression) -> SQLExpression? {
    guard case .column(let alias, let name, .boolean?) = expression else { return nil }
    return .column(alias: alias, name: name)
  }
}
