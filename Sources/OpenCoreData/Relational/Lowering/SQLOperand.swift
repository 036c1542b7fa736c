/// One side of a comparison.
indirect enum SQLOperand {
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

/// A part of what UNION, INTERSECT or MINUS gives.
enum SQLPart {
  case members(SQLScope, SQLElement)
  /// A known value that is in the set where the condition holds.
  case constant(Any, SQLExpression)
}

/// A value that the statement computes.
struct SQLScalar {
  let expression: SQLExpression
  let kind: SQLKind
  /// The row whose column it is, if it is just that: without the row there is no value.
  var row: SQLRow?
  /// For the entity of a row, or its name: the column that tells it, and the values that it can have.
  var choices: SQLChoices?

  /// The value alone: the column of data that may be in files also tells where it is.
  var bytes: SQLExpression {
    kind == .binary(isPrefixed: true) ? .function(.data, [expression]) : expression
  }
}

/// A value that the number of an entity decides.
struct SQLChoices {
  let column: SQLExpression
  let values: [(number: Int, value: Any)]
  /// Whether there may be no row, and so no value.
  let isOptional: Bool
}

/// A value that belongs to the members of a to-many relationship.
struct SQLElement {
  let value: SQLScalar
  /// The member itself, or what a key path leads to from there.
  let row: SQLRow
  /// Whether the value is the member: it is there then, and SQL knows it by its key.
  let isMember: Bool
  /// Whether nil counts for a value. A set has no place for it: only ordered relationships keep it.
  let keepsNil: Bool
}
