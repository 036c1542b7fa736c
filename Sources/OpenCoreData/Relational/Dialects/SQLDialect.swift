/// The SQL of one database: how it expresses the nodes of statements. A schema has its dialect, and there is no
/// default.
package protocol SQLDialect: Sendable {
  /// The columns that every table of an entity has, before those of its properties.
  var columns: SQLFixedColumns { get }

  /// The naming of tables and columns.
  var naming: any SQLNaming { get }

  /// The limits of a statement in this database.
  var limits: SQLLimits { get }

  /// Whether data that may be in a file of its own has a byte in front that says where the data is.
  var marksData: Bool { get }

  /// What columns of numbers are compared with in place of a number that is not one (NaN); nil if nothing equals it and it has
  /// no order.
  ///
  /// - Parameter isDecimal: Whether it is a decimal number.
  func notANumber(isDecimal: Bool) -> SQLValue?

  /// A name as it is written in a statement.
  func quoted(_ name: String) -> String

  /// Quotes a name that does not come from the schema: the name of something that another program has created.
  func quotedForeign(_ name: String) -> String

  /// A value as part of a statement's text.
  func literal(_ value: SQLValue) -> String

  /// The text after a term of an index that fetches sort by.
  func suffix(ofIndexTermThatIsDescending isDescending: Bool) -> String

  /// A condition that always holds, or never.
  func truth(_ value: Bool) -> String

  /// The type of columns that hold values of a kind.
  func name(of type: SQLColumnType) -> String

  /// The variable with that number, counted from 1.
  func variable(_ number: Int) -> String

  /// The text of every variable, where variables have neither numbers nor types; nil otherwise.
  var plainVariable: String? { get }

  /// Declares the type of a variable, if statements of this database have to.
  func declareVariable(of value: SQLValue, to printer: inout SQLPrinter)

  /// The text of a variable that the statement names more than once.
  func repeatedVariable(_ number: Int) -> String

  /// Declares the type of a variable that is bound for each run, if statements of this database have to.
  func declare(_ content: SQLParameter.Content, to printer: inout SQLPrinter)

  /// The name of a function with the usual syntax of a call; nil if there is no such function.
  func name(of function: SQLFunctionName) -> String?

  /// The name of an order of strings; nil if there is none.
  func name(of collation: SQLCollation) -> String?

  /// The text after a sort key. Rows without a value come first, and in descending order last.
  func suffix(ofOrderThatIsDescending isDescending: Bool) -> String

  /// Writes the largest number of rows, 0 for no limit, and the number of rows to skip.
  func writePage(limit: Int, offset: Int, to printer: inout SQLPrinter)

  /// The text before a joined table.
  func words(for join: SQLJoin.Kind) -> String

  /// Writes the text before a table whose rows are selected by keys.
  func writeRows(of keys: SQLKeyList, to printer: inout SQLPrinter)

  /// Writes the condition that a row has one of the keys, including WHERE.
  func writeCondition(of keys: SQLKeyList, alias: Int?, to printer: inout SQLPrinter)

  /// Returns the same select in a form that the database accepts.
  func restated(_ select: SQLSelect) -> SQLSelect

  /// Prints a column of the result.
  func print(result: SQLExpression, with printer: inout SQLPrinter)

  /// Prints the value that an UPDATE assigns to a column.
  func print(_ assignment: SQLAssignment, with printer: inout SQLPrinter)

  /// The text before an INSERT's table, and the text at its end. One of them tells the database to leave out rows that
  /// violate a key or a unique index.
  func beginOfInsert(thatLeavesOutConflicts leavesOut: Bool) -> String
  var endOfInsertThatLeavesOutConflicts: String { get }

  /// Whether the database recognises an expression of GROUP BY elsewhere in the select only if it has no variables.
  var inlinesValuesOfGroups: Bool { get }

  /// Whether rows that sort descriptors leave in any order are to be sorted by their keys, because the database does
  /// not always return them in the same order.
  var ordersTies: Bool { get }

  /// The text after a select that another select reads from.
  var suffixOfNestedTable: String { get }

  /// Prints an expression in the dialect's own way. Returns false if the printer is to print the expression in the
  /// common way.
  func print(_ expression: SQLExpression, with printer: inout SQLPrinter) -> Bool
}

/// The names of the columns that every table of an entity has: the key, the number of the row's entity, and the version
/// for optimistic locking.
package struct SQLFixedColumns: Sendable {
  package let key, entity, version: String

  /// The columns in the order in which they are read.
  package var all: [String] { [key, entity, version] }
}

/// The limits of a statement in a database.
package struct SQLLimits: Sendable {
  /// The largest number of terms in an ORDER BY.
  package let orderTerms: Int
  /// The largest number of variables in one list. A longer list becomes one variable.
  package let listVariables: Int
  /// The largest number of values for a function of several values.
  package let functionValues: Int
  /// The largest number of terms in a sum.
  package let sumTerms: Int
}
