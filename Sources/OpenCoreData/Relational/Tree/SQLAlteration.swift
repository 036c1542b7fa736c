/// A change of a database's tables and indexes, as data.
package enum SQLAlteration: Sendable {
  case create(SQLTableDefinition)
  case createIndex(SQLIndexDefinition)
  case addColumn(SQLColumnDefinition, table: String)
  case dropColumn(String, table: String)
  case renameColumn(String, to: String, table: String)
  case renameTable(String, to: String)
  case dropTable(String)
  case dropIndex(String)
}

extension SQLPrinter {
  /// Prints a CREATE, ALTER or DROP.
  package mutating func print(_ alteration: SQLAlteration) {
    switch alteration {
    case .create(let table): print(table)
    case .createIndex(let index): print(index)
    case .addColumn(let column, let table):
      alter(table, "ADD COLUMN ")
      print(column)
    case .dropColumn(let name, let table): alter(table, "DROP COLUMN \(dialect.quoted(name))")
    case .renameColumn(let name, let new, let table):
      alter(table, "RENAME COLUMN \(dialect.quoted(name)) TO \(dialect.quoted(new))")
    case .renameTable(let name, let new): alter(name, "RENAME TO \(dialect.quoted(new))")
    case .dropTable(let name): write("DROP TABLE \(dialect.quoted(name))")
    case .dropIndex(let name): write("DROP INDEX \(dialect.quotedForeign(name))")
    }
  }

  private mutating func alter(_ table: String, _ change: String) {
    write("ALTER TABLE \(dialect.quoted(table)) \(change)")
  }
}
