/// A statement that changes rows, or what a database has of tables, as data.
package enum SQLCommand: Sendable {
  case alteration(SQLAlteration)
  case insert(SQLInsert)
  case change(SQLChange)
}

extension SQLCommand {
  /// The statement's text and bindings.
  /// - Throws: 134060 with the part that the dialect cannot say.
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
