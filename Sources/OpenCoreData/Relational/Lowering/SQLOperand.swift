/// One side of a comparison.
package indirect enum SQLOperand {
  /// A value that is known.
  case constant(Any?)
  /// A value that the statement computes.
  case scalar(SQLScalar)
  /// The values that something takes for the members of a to-many relationship.
  case collection(SQLScope, SQLElement)
  /// The result of a set operator on several collections.
  case parts([SQLPart])
  /// Expressions in braces that are not all known.
  case list([SQLOperand])
}

/// A part of the result of UNION, INTERSECT or MINUS.
package enum SQLPart {
  case members(SQLScope, SQLElement)
  /// A known value that is in the set where the condition holds.
  case constant(Any, SQLExpression)
}

/// A value that the statement computes.
package struct SQLScalar {
  package let expression: SQLExpression
  package let kind: SQLKind
  /// The row of the column, if the operand is just a column: if the row does not exist, there is no value.
  package var row: SQLRow?
  /// For the entity of a row, or its name: the column that tells it, and the values that it can have.
  package var choices: SQLChoices?

  /// The value alone: a column of data that may be in files also contains a byte that tells where the value is.
  package var bytes: SQLExpression {
    kind == .binary(isPrefixed: true) ? .function(.data, [expression]) : expression
  }
}

/// A value that the number of an entity decides.
package struct SQLChoices {
  package let column: SQLExpression
  package let values: [(number: Int, value: Any)]
  /// Whether there may be no row, and so no value.
  package let isOptional: Bool
}

/// A value that belongs to the members of a to-many relationship.
package struct SQLElement {
  package let value: SQLScalar
  /// The member itself, or what a key path leads to from there.
  package let row: SQLRow
  /// Whether the value is the member itself. It exists then, and SQL knows it by its key.
  package let isMember: Bool
  /// Whether nil counts for a value. A set has no place for it: only ordered relationships keep it.
  package let keepsNil: Bool
}
