/// A SELECT, as data.
struct SQLSelect: Sendable {
  /// Rows of values that the statement itself has, to select from by name.
  var rows: SQLRowList?
  var isDistinct = false
  var results: [SQLResult]
  var table: String
  /// The number of the table's alias; nil for a select whose expressions name columns without one.
  var alias: Int?
  /// The rows of the table that are asked for by their keys, which are bound for each run.
  var keys: SQLKeyList?
  var joins: [SQLJoin] = []
  var condition: SQLExpression?
  var groups: [SQLExpression] = []
  var groupCondition: SQLExpression?
  var order: [SQLOrder] = []
  /// The largest number of rows; 0 for no limit.
  var limit = 0
  var offset = 0
  /// Whether one row is enough, whichever comes first.
  var isFirstOnly = false
}

extension SQLSelect {
  /// A select from one table.
  init(_ results: [SQLExpression], from table: String, alias: Int? = nil, where condition: SQLExpression? = nil) {
    self.init(results: results.map { SQLResult($0) }, table: table, alias: alias, condition: condition)
  }
}

/// Rows of values that a statement has.
struct SQLRowList: Sendable {
  let name: String
  let columns: [String]
  let rows: [[SQLExpression]]
}

/// As many keys as there are variables for.
struct SQLKeyList: Sendable {
  let column: String
  let count: Int
}

/// A column of the result; one that is referred to has a name.
struct SQLResult: Sendable {
  var expression: SQLExpression
  var name: String?

  init(_ expression: SQLExpression, name: String? = nil) {
    self.expression = expression
    self.name = name
  }
}

/// A table joined to a select.
struct SQLJoin: Sendable {
  enum Kind: Sendable {
    case inner
    /// Rows without a partner stay.
    case outer
    /// The database goes through the tables in the order in which they stand.
    case inOrder
  }

  var kind: Kind
  var table: String
  var alias: Int
  var condition: SQLExpression
}

/// A sort key.
struct SQLOrder: Sendable {
  var expression: SQLExpression
  var isDescending = false
}

/// An UPDATE or DELETE, as data: `assignments` is empty for a DELETE.
struct SQLChange: Sendable {
  var table: String
  /// The number of the table's alias; nil for a statement whose expressions name columns without one.
  var alias: Int?
  var assignments: [SQLAssignment] = []
  var condition: SQLExpression?
  /// The columns of each changed row to give back.
  var returning: [String] = []
}

/// What an UPDATE gives to a column.
struct SQLAssignment: Sendable {
  let column: String
  let value: SQLExpression
  /// The column's type, where a value has to be turned into one of it.
  var type: SQLColumnType?

  init(_ column: String, _ value: SQLExpression, _ type: SQLColumnType? = nil) {
    (self.column, self.value, self.type) = (column, value, type)
  }

  /// A value that is bound for each run.
  static func parameter(_ column: String, _ type: SQLColumnType) -> SQLAssignment {
    SQLAssignment(column, .parameter(type), type)
  }
}
