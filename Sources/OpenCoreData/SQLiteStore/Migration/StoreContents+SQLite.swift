extension StoreContents {
  /// Reads the tables, indexes, triggers and row counts of a file.
  /// - Parameter schema: the schema for whose tables rows are counted.
  init(_ connection: SQLiteConnection, schema: SQLModel) throws {
    var tables: [String: [(name: String, type: String)]] = [:]
    for case let name? in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map({ $0[0] }) {
      tables[name] = try connection.rows("PRAGMA table_info(\(name.quotedName))").map { ($0[1] ?? "", $0[2] ?? "") }
    }
    func definitions(_ type: String) throws -> [Definition] {
      try connection.rows(
        "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = '\(type)' AND sql IS NOT NULL ORDER BY rowid"
      ).map { Definition(name: $0[0] ?? "", table: $0[1] ?? "", sql: $0[2] ?? "") }
    }
    var rows: [String: [Int: Int64]] = [:]
    var keys: [String: Int64] = [:]
    for table in schema.tables where tables[table.name] != nil {
      let concrete = table.entityNumbers.filter { schema.entity(number: $0)?.entity.isAbstract == false }
      if table.entityNumbers.count == 1, let only = concrete.first {
        // A table of one entity has no index on Z_ENT that could speed up a count by entity.
        rows[table.name] = [only: try connection.integer("SELECT COUNT(*) FROM \(table.name)") ?? 0]
      } else {
        let counts = try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(table.name) GROUP BY Z_ENT")
        rows[table.name] = Dictionary(
          counts.map { (Int($0[0] ?? "") ?? 0, Int64($0[1] ?? "") ?? 0) }, uniquingKeysWith: +)
      }
      let root = table.entityNumbers.first ?? 0
      let stated = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)") ?? 0
      keys[table.name] = max(stated, try connection.integer("SELECT MAX(Z_PK) FROM \(table.name)") ?? 0)
    }
    for join in schema.tables.flatMap(\.joinTables) where tables[join.name] != nil {
      rows[join.name] = [0: try connection.integer("SELECT COUNT(*) FROM \(join.name)") ?? 0]
    }
    self.init(
      tables: tables, indexes: try definitions("index"), triggers: try definitions("trigger"), rows: rows,
      highestKeys: keys, ignoresCase: true)
  }
}
