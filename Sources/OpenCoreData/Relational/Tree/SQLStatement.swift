/// The text of a statement and the values of its variables, by position.
package struct SQLStatement: Sendable {
  package var text: String
  /// Empty for a statement whose values are bound for each run.
  package var bindings: [SQLValue]
  /// The types of the variables, where the dialect declares them.
  package var types: [String] = []
  /// The variables whose values depend on the contents of columns when the statement runs; in `bindings` they are NULL.
  package var resolutions: [SQLResolution] = []
}

extension SQLStatement: Equatable {
  /// A statement with `resolutions` equals no statement, not even itself.
  package static func == (first: SQLStatement, second: SQLStatement) -> Bool {
    first.text == second.text && first.bindings == second.bindings && first.types == second.types
      && first.resolutions.isEmpty && second.resolutions.isEmpty
  }
}

extension SQLSelect {
  /// Returns the statement's text and bindings.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLInsert {
  /// Returns the statement's text and bindings.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLChange {
  /// Returns the statement's text and bindings.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLStatement {
  /// Returns the text and bindings that a printer makes of nodes.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package static func printed(_ dialect: any SQLDialect, _ print: (inout SQLPrinter) -> Void) throws -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    print(&printer)
    return try printer.statement()
  }
}
