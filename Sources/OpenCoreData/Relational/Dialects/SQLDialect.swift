/// How one database expresses the nodes of statements. A schema has its dialect, and there is no default dialect.
package protocol SQLDialect: Sendable {
  /// The columns that every table of an entity has, before those of its properties.
  var columns: SQLFixedColumns { get }

  /// The names of tables and columns.
  var naming: any SQLNaming { get }

  /// The limits of the database.
  var limits: SQLLimits { get }

  /// Whether data that may be in files begin with a byte that says where the value is.
  var marksData: Bool { get }

  /// A name as it stands in a statement.
  func quoted(_ name: String) -> String

  /// The quoted form of a name that the schema did not give, such as the name of an index of another program.
  func quotedForeign(_ name: String) -> String

  /// A value as part of the text.
  func literal(_ value: SQLValue) -> String

  /// The suffix of an index's term, for fetches that sort by it.
  func suffix(ofIndexTermThatIsDescending isDescending: Bool) -> String

  /// A condition that always holds, or never.
  func truth(_ value: Bool) -> String

  /// The type of columns for values of a kind.
  func name(of type: SQLColumnType) -> String

  /// The variable with that number, counted from 1.
  func variable(_ number: Int) -> String

  /// Declares the type of a variable, where statements have to.
  func declareVariable(of value: SQLValue, to printer: inout SQLPrinter)

  /// A variable that the statement names more than once.
  func repeatedVariable(_ number: Int) -> String

  /// Declares the type of a variable that is bound for each run, where statements have to.
  func declare(_ content: SQLParameter.Content, to printer: inout SQLPrinter)

  /// The name of a function that is called like any other; nil if the database has no function of that meaning.
  func name(of function: SQLFunctionName) -> String?

  /// The name of a collation; nil if the database has none for it.
  func name(of collation: SQLCollation) -> String?

  /// The suffix of a sort key: rows without a value come first, in descending order last.
  func suffix(ofOrderThatIsDescending isDescending: Bool) -> String

  /// Writes the largest number of rows, 0 for no limit, and how many are left out before.
  func writePage(limit: Int, offset: Int, to printer: inout SQLPrinter)

  /// The words before a joined table.
  func words(for join: SQLJoin.Kind) -> String

  /// Writes the text before a table whose rows are selected by keys.
  func writeRows(of keys: SQLKeyList, to printer: inout SQLPrinter)

  /// Writes the condition that a row has one of the keys, with its WHERE.
  func writeCondition(of keys: SQLKeyList, alias: Int?, to printer: inout SQLPrinter)

  /// Returns an equivalent select in a form that the database accepts.
  func restated(_ select: SQLSelect) -> SQLSelect

  /// Prints a column of the result.
  func print(result: SQLExpression, with printer: inout SQLPrinter)

  /// Prints what an UPDATE gives to a column.
  func print(_ assignment: SQLAssignment, with printer: inout SQLPrinter)

  /// INSERT INTO, and what leaves out the rows that break a key or a unique index: before the table or at the end.
  func beginOfInsert(thatLeavesOutConflicts leavesOut: Bool) -> String
  var endOfInsertThatLeavesOutConflicts: String { get }

  /// Whether what a select groups by is recognised elsewhere in it only if it has no variables.
  var inlinesValuesOfGroups: Bool { get }

  /// Whether rows that sort descriptors leave in any order must be sorted by their keys, because the database may return them
  /// in another order each time.
  var ordersTies: Bool { get }

  /// The suffix of a select from which others select.
  var suffixOfNestedTable: String { get }

  /// Prints the expression, or returns false to have it printed in the general way.
  func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool
}

/// The names of the columns that every table of an entity has: the key, the number of the row's entity, and the version
/// for optimistic locking.
package struct SQLFixedColumns: Sendable {
  package let key, entity, version: String

  /// In the order in which they are read.
  package var all: [String] { [key, entity, version] }
}

/// The limits of a database for one statement.
package struct SQLLimits: Sendable {
  /// The largest number of terms that an order has.
  package let orderTerms: Int
  /// The largest number of variables in one list. A longer list becomes one variable.
  package let listVariables: Int
  /// The largest number of values that a function of several takes.
  package let functionValues: Int
  /// The largest number of terms in a sum.
  package let sumTerms: Int
}
