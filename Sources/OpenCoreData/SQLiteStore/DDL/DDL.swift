/// The statements that create a store, in the order and with the text of Apple's files.
enum DDL {
  /// All statements for a new store: tables, indexes, triggers, then the tables that describe the store.
  static func statements(for model: SQLModel) -> [String] {
    tables(of: model) + indexes(of: model) + triggers(of: model) + bookkeeping
  }

  /// The tables of the entities in the order of their numbers, each followed by its join tables.
  static func tables(of model: SQLModel) -> [String] {
    model.tables.flatMap { table in [create(table)] + table.joinTables.map { create($0) } }
  }

  /// The tables that describe the store.
  static let bookkeeping = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  /// The rows of Z_PRIMARYKEY for a new store; `superentity` is 0 for a root, and Z_MAX begins with 0.
  static func primaryKeyRows(of model: SQLModel) -> [(number: Int, name: String, superentity: Int)] {
    model.entities.map { ($0.number, $0.name, $0.superentity?.number ?? 0) }
  }

  /// - Parameter name: another name than its own.
  static func create(_ table: SQLTable, named name: String? = nil) -> String {
    let own = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let columns = table.columns.map { "\($0.name) \($0.type.rawValue)" }
    return "CREATE TABLE \(name ?? table.name) ( \((own + columns).joined(separator: ", ")) )"
  }

  /// - Parameter name: another name than its own.
  static func create(_ table: SQLJoinTable, named name: String? = nil) -> String {
    let columns = ([table.sourceColumn, table.destinationColumn] + table.orderColumns).map { "\($0) INTEGER" }
    return "CREATE TABLE \(name ?? table.name) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(table.sourceColumn), \(table.destinationColumn)) )"
  }
}
