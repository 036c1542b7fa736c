/// A statement that changes rows, or the tables and indexes of a database, as data.
package enum SQLCommand: Sendable {
  case alteration(SQLAlteration)
  case insert(SQLInsert)
  case change(SQLChange)
}

extension SQLCommand {
  /// Returns the statement's text and bindings.
  /// - Throws: 134060 with the first part that the dialect cannot express.
  package func statement(_ dialect: any SQLDialect) throws -> SQLStatement {
    try .printed(dialect) { printer in
      switch self {
      case .alteration(let alteration): printer.print(alteration)
      case .insert(let insert): printer.print(insert)
      case .change(let change): printer.print(change)
      }
    }
  }
}
