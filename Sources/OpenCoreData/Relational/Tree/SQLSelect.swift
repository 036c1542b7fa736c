/// A SELECT, as data.
package struct SQLSelect: Sendable {
  /// Rows of values in the statement itself, which the select refers to by name.
  package var rows: SQLRowList?
  package var isDistinct = false
  package var results: [SQLResult]
  package var table: String
  /// The number of the table's alias; nil for a select whose expressions name columns without one.
  package var alias: Int?
  /// Selects the rows with these keys, which are bound for each run.
  package var keys: SQLKeyList?
  package var joins: [SQLJoin] = []
  package var condition: SQLExpression?
  package var groups: [SQLExpression] = []
  package var groupCondition: SQLExpression?
  package var order: [SQLOrder] = []
  /// The largest number of rows; 0 for no limit.
  package var limit = 0
  package var offset = 0
  /// Whether the select returns only one row, whichever comes first.
  package var isFirstOnly = false
}

extension SQLSelect {
  /// A select from one table.
  package init(_ results: [SQLExpression], from table: String, alias: Int? = nil, where condition: SQLExpression? = nil)
  {
    self.init(results: results.map { SQLResult($0) }, table: table, alias: alias, condition: condition)
  }
}

/// Rows of values that are part of a statement.
package struct SQLRowList: Sendable {
  package let name: String
  package let columns: [String]
  package let rows: [[SQLExpression]]
}

/// A list of keys, each of which has a variable of its own.
package struct SQLKeyList: Sendable {
  package let column: String
  package let count: Int
}

/// A column of the result. It has a name if the statement refers to it.
package struct SQLResult: Sendable {
  package var expression: SQLExpression
  package var name: String?

  package init(_ expression: SQLExpression, name: String? = nil) {
    self.expression = expression
    self.name = name
  }
}

/// A table joined to a select.
package struct SQLJoin: Sendable {
  package enum Kind: Sendable {
    case inner
    /// Rows without a partner are kept.
    case outer
    /// The database goes through the tables in the order in which they stand.
    case inOrder
  }

  package var kind: Kind
  package var table: String
  package var alias: Int
  package var condition: SQLExpression
}

/// A sort key.
package struct SQLOrder: Sendable {
  package var expression: SQLExpression
  package var isDescending = false
  /// Whether every row has a value, so that the text need not say where rows without a value come.
  package var isAlwaysThere = false
}

/// An UPDATE or DELETE, as data: `assignments` is empty for a DELETE.
package struct SQLChange: Sendable {
  package var table: String
  /// The number of the table's alias; nil for a statement whose expressions name columns without one.
  package var alias: Int?
  package var assignments: [SQLAssignment] = []
  package var condition: SQLExpression?
  /// The columns that the statement returns for each changed row.
  package var returning: [String] = []
}

/// The value that an UPDATE assigns to a column.
package struct SQLAssignment: Sendable {
  package let column: String
  package let value: SQLExpression
  /// The column's type, if the value has to be converted to it.
  package var type: SQLColumnType?

  package init(_ column: String, _ value: SQLExpression, _ type: SQLColumnType? = nil) {
    (self.column, self.value, self.type) = (column, value, type)
  }

  /// An assignment of a value that is bound for each run.
  package static func parameter(_ column: String, _ type: SQLColumnType) -> SQLAssignment {
    SQLAssignment(column, .parameter(type), type)
  }
}
