extension SQLiteConnection {
  /// Returns the names of a table's columns, in their order; empty if there is no such table.
  func columns(of table: String) throws -> [String] {
    try rows("PRAGMA table_info(\(table.quotedName))").compactMap { $0[1] }
  }
}
