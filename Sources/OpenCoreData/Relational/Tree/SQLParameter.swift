/// A variable whose value is bound for each run of a statement that is printed once and kept.
package struct SQLParameter: Sendable {
  /// What is bound to a variable.
  package enum Content: Sendable {
    /// The value of a column.
    case value(SQLColumnType)
    /// Any number of keys, in one variable.
    case keys
  }

  package let content: Content
  /// The number, counted from 1, of a variable that the statement names more than once; nil for a variable that gets
  /// the next number.
  package let number: Int?
}

extension SQLExpression {
  /// The next variable, for a value of that type.
  package static func parameter(_ type: SQLColumnType) -> SQLExpression {
    .parameter(SQLParameter(content: .value(type), number: nil))
  }

  /// A variable that the statement names several times.
  package static func parameter(_ type: SQLColumnType, number: Int) -> SQLExpression {
    .parameter(SQLParameter(content: .value(type), number: number))
  }
}
