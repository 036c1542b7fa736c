import Foundation

/// The tables of persistent history in the form of Apple's files.
enum HistoryTables {
  /// The numbers of the history's own entities, which Z_PRIMARYKEY and the Z_ENT columns of their rows have.
  static let change = 16001, transaction = 16002, string = 16003

  private typealias Table = (name: String, entity: Int, entityName: String, columns: [(String, SQLColumnType)])

  private static let tables: [Table] = [
    (
      "ACHANGE", change, "CHANGE",
      [
        ("ZCHANGETYPE", .integer16), ("ZENTITY", .entityNumber), ("ZENTITYPK", .key), ("ZTRANSACTIONID", .key),
        ("ZCOLUMNS", .data),
      ]
    ),
    (
      "ATRANSACTION", transaction, "TRANSACTION",
      [
        ("ZAUTHORTS", .key), ("ZBUNDLEIDTS", .key), ("ZCONTEXTNAMETS", .key), ("ZPROCESSIDTS", .key),
        ("ZTIMESTAMP", .double), ("ZAUTHOR", .string), ("ZBUNDLEID", .string), ("ZCONTEXTNAME", .string),
        ("ZPROCESSID", .string), ("ZQUERYGEN", .data),
      ]
    ),
    ("ATRANSACTIONSTRING", string, "TRANSACTIONSTRING", [("ZNAME", .string)]),
  ]

  /// Returns the definitions of the tables.
  /// - Parameter tombstones: how many columns there are for the values that are kept of deleted rows.
  static func definitions(tombstones: Int, _ dialect: any SQLDialect) -> [SQLTableDefinition] {
    let fixed = dialect.columns
    let own = [
      SQLColumnDefinition(fixed.key, .key, isKey: true), SQLColumnDefinition(fixed.entity, .entityNumber),
      SQLColumnDefinition(fixed.version, .version),
    ]
    return tables.map { table in
      SQLTableDefinition(
        name: table.name,
        columns: own + columns(of: table, tombstones).map { SQLColumnDefinition($0.0, $0.1) })
    }
  }

  private static func columns(of table: Table, _ tombstones: Int) -> [(String, SQLColumnType)] {
    table.columns + (table.entity == change ? (0..<tombstones).map { ("ZTOMBSTONE\($0)", .data) } : [])
  }

  private static let indexes: [(name: String, text: String)] = [
    ("ACHANGE_ZTRANSACTIONID_INDEX", "INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"),
    ("ATRANSACTION_ZAUTHORTS_INDEX", "INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)"),
    ("ATRANSACTION_ZBUNDLEIDTS_INDEX", "INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)"),
    (
      "ATRANSACTION_ZCONTEXTNAMETS_INDEX",
      "INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)"
    ),
    ("ATRANSACTION_ZPROCESSIDTS_INDEX", "INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)"),
    (
      "Z_TRANSACTION_TransactionAuthorIndex",
      "INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"
    ),
    (
      "Z_TRANSACTION_TransactionTimestampIndex",
      "INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)"
    ),
    (
      "Z_TRANSACTIONSTRING_UNIQUE_NAME",
      "UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"
    ),
  ]

  /// Creates what is missing to track history: all tables, or the columns that tables of another version lack. Existing rows
  /// stay.
  static func prepare(_ schema: SQLModel, _ connection: SQLiteConnection) throws {
    let tombstones = schema.entities.map { HistoryLayout($0).preserved.count }.max() ?? 0
    guard try !missing(tombstones, schema, connection).isEmpty else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have created the tables meanwhile.
      for statement in try missing(tombstones, schema, connection) { try connection.execute(statement) }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private static func missing(
    _ tombstones: Int, _ schema: SQLModel, _ connection: SQLiteConnection
  ) throws -> [String] {
    var statements: [String] = []
    var keys: [String] = []
    for (definition, table) in zip(definitions(tombstones: tombstones, schema.dialect), tables) {
      let (name, entity, entityName) = (table.name, table.entity, table.entityName)
      let existing = try self.columns(of: name, connection)
      if existing.isEmpty {
        statements.append(DDL.text(.create(definition), schema))
      } else {
        for column in definition.columns.dropFirst(schema.dialect.columns.all.count)
        where !existing.contains(column.name) {
          statements.append(DDL.text(.addColumn(column, table: name), schema))
        }
      }
      if try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity)") == nil {
        keys.append(
          "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
            + "SELECT \(entity), '\(entityName)', 0, IFNULL(MAX(Z_PK), 0) FROM \(name)")
      }
    }
    let known = Set(try connection.rows("SELECT name FROM sqlite_master WHERE type = 'index'").compactMap { $0[0] })
    statements += indexes.filter { !known.contains($0.name) }.map { "CREATE \($0.text)" }
    return statements + keys
  }

  /// Returns the columns of one of the tables; empty if the store does not have the table.
  static func columns(of table: String, _ connection: SQLiteConnection) throws -> Set<String> {
    Set(try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1] })
  }

  /// Whether a table is one of the framework's: a table of history, of objects, or about the store.
  static func isOfFramework(_ table: String) -> Bool {
    table.hasPrefix("Z") || tables.contains { $0.name == table }
  }

  /// Whether the store has a history that can be read.
  static func exist(_ connection: SQLiteConnection) throws -> Bool {
    try connection.integer(
      "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name IN ('ACHANGE', 'ATRANSACTION')") == 2
  }

  /// Returns the number of the latest transaction. A purge does not lower it.
  static func latestTransaction(_ connection: SQLiteConnection) throws -> Int64 {
    try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(transaction)") ?? 0
  }
}
