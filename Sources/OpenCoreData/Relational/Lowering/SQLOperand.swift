/// One side of a comparison.
package indirect enum SQLOperand {
  /// A value that is known.
  case constant(Any?)
  /// A value that the statement computes.
  case scalar(SQLScalar)
  /// The values of an expression for the members of a to-many relationship.
  case collection(SQLScope, SQLElement)
  /// The result of a set operator on several collections.
  case parts([SQLPart])
  /// Expressions in braces, not all of which are constant.
  case list([SQLOperand])
}

/// A part of the result of UNION, INTERSECT or MINUS.
package enum SQLPart {
  case members(SQLScope, SQLElement)
  /// A known value that is in the set if the condition holds.
  case constant(Any, SQLExpression)
}

/// A value that the statement computes.
package struct SQLScalar {
  package let expression: SQLExpression
  package let kind: SQLKind
  /// The row whose column the value is, if it is just a column: without the row there is no value.
  package var row: SQLRow?
  /// For the entity of a row, or the entity's name: the column with the entity's number, and the possible values.
  package var choices: SQLChoices?

  /// The value without the place of its data, which a column of data that may be in files also holds.
  package var bytes: SQLExpression {
    kind == .binary(isPrefixed: true) ? .function(.data, [expression]) : expression
  }
}

/// A value that follows from the number of an entity.
package struct SQLChoices {
  package let column: SQLExpression
  package let values: [(number: Int, value: Any)]
  /// Whether the row, and thus the value, may be missing.
  package let isOptional: Bool
}

/// A value that belongs to the members of a to-many relationship.
package struct SQLElement {
  package let value: SQLScalar
  /// The member itself, or what a key path leads to from there.
  package let row: SQLRow
  /// Whether the value is the member itself, which is never missing, and which SQL represents by its key.
  package let isMember: Bool
  /// Whether nil counts as a value. Only ordered relationships keep nil, because a set cannot hold it.
  package let keepsNil: Bool
}
