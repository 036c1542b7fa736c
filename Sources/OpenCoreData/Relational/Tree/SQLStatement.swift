/// The text of a statement and the values of its variables, by position.
package struct SQLStatement: Sendable {
  package var text: String
  /// Empty for a statement whose values come with each run.
  package var bindings: [SQLValue]
  /// The types of the variables, where the dialect declares them.
  package var types: [String] = []
  /// The variables whose values depend on what columns hold when the statement runs; in `bindings` they are NULL.
  package var resolutions: [SQLResolution] = []
}

extension SQLStatement: Equatable {
  /// A statement with resolutions is equal to no other statement.
  package static func == (first: SQLStatement, second: SQLStatement) -> Bool {
    first.text == second.text && first.bindings == second.bindings && first.types == second.types
      && first.resolutions.isEmpty && second.resolutions.isEmpty
  }
}

extension SQLSelect {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLInsert {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLChange {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement { try .printed(dialect) { $0.print(self) } }
}

extension SQLStatement {
  /// The statement that a printer makes of nodes.
  /// - Throws: 134060 with the part that the dialect cannot express.
  package static func printed(_ dialect: any SQLDialect, _ print: (inout SQLPrinter) -> Void) throws -> SQLStatement {
    var printer = SQLPrinter(dialect: dialect)
    print(&printer)
    return try printer.statement()
  }
}
