/// The statements that create a store, in the order and with the text of Apple's files.
package enum DDL {
  /// All statements for a new store: tables, indexes, triggers, then the tables that describe the store.
  package static func statements(for model: SQLModel) -> [String] {
    tables(of: model) + indexes(of: model) + triggers(of: model) + bookkeeping
  }

  /// The tables of the entities in the order of their numbers, each followed by its join tables.
  package static func tables(of model: SQLModel) -> [String] { definitions(of: model).map { text(.create($0), model) } }

  /// The definitions from which the statements of `tables(of:)` are printed.
  package static func definitions(of model: SQLModel) -> [SQLTableDefinition] {
    model.tables.flatMap { table in
      [SQLTableDefinition(table, fixed: model.dialect.columns)] + table.joinTables.map { SQLTableDefinition($0) }
    }
  }

  /// Returns the text of a statement that changes the schema of the database.
  package static func text(_ alteration: SQLAlteration, _ model: SQLModel) -> String {
    var printer = SQLPrinter(dialect: model.dialect)
    printer.print(alteration)
    return printer.text
  }

  /// The tables that describe the store.
  package static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  /// The rows of Z_PRIMARYKEY for a new store; `superentity` is 0 for a root, and Z_MAX begins with 0.
  package static func primaryKeyRows(of model: SQLModel) -> [(number: Int, name: String, superentity: Int)] {
    model.entities.map { ($0.number, $0.name, $0.superentity?.number ?? 0) }
  }

}
