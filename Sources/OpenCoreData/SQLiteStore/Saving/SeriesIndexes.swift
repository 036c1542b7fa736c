/// The indexes of the empty tables into which a series of rows goes. They are made when the rows are there: SQLite then sorts
/// the whole index once, while a row in the middle of a long index takes a page of the file from its place and back.
///
/// They are dropped and made in the series' transaction, so nobody sees the tables without them.
final class SeriesIndexes {
  private let connection: SQLiteConnection
  private var statements: [String] = []

  /// Drops the indexes of those of the tables that have no rows.
  ///
  /// None is dropped where the file has triggers, which may look for rows by them.
  init(droppedFrom tables: [String], on connection: SQLiteConnection) throws {
    self.connection = connection
    if tables.isEmpty { return }
    if try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'") != 0 { return }
    let indexes = try connection.rows(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid")
    let empty = try Set(tables).intersection(indexes.compactMap { $0[1] }).filter { table in
      try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table.quotedName))") == 0
    }
    for index in indexes {
      guard let name = index[0], let table = index[1], let sql = index[2], empty.contains(table) else { continue }
      try connection.execute("DROP INDEX \(name.quotedName)")
      statements.append(sql)
    }
  }

  /// Makes the indexes, once.
  /// - Throws: SQLite's error for a violated uniqueness constraint.
  func make() throws {
    let missing = statements
    statements = []
    for sql in missing { try connection.execute(sql) }
  }
}
