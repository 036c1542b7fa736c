/// A SELECT, as data.
struct SQLSelect: Sendable {
  var isDistinct = false
  var results: [SQLResult]
  var table: String
  var alias: Int
  var joins: [SQLJoin] = []
  var condition: SQLExpression?
  var groups: [SQLExpression] = []
  var groupCondition: SQLExpression?
  var order: [SQLOrder] = []
  /// The largest number of rows; 0 for no limit.
  var limit = 0
  var offset = 0
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
  /// Whether rows without a partner stay: LEFT OUTER JOIN.
  var isOuter: Bool
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
  var alias: Int
  var assignments: [(column: String, value: SQLExpression)]
  var condition: SQLExpression?
  /// The columns of each changed row to give back.
  var returning: [String] = []
}
