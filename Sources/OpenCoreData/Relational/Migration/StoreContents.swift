/// The tables, indexes and triggers of a store, and its number of rows per entity. Read when a migration is
/// planned.
package struct StoreContents: Sendable {
  package struct Definition: Sendable {
    package let name: String
    package let table: String
    package let sql: String
  }

  /// The columns of each table with their declared types, by the table's name.
  package let tables: [String: [(name: String, type: String)]]
  /// The indexes that CREATE INDEX statements made, without the indexes that SQLite makes for keys.
  package let indexes: [Definition]
  package let triggers: [Definition]
  private let rows: [String: [Int: Int64]]
  private let highestKeys: [String: Int64]

  /// Whether names that differ only in case are the same.
  private let ignoresCase: Bool

  /// - Parameters:
  ///   - rows: the numbers of rows, by table and by number of the entity. The rows of a join table are under the number
  ///     0.
  ///   - highestKeys: the highest key that was assigned, by table.
  package init(
    tables: [String: [(name: String, type: String)]], indexes: [Definition] = [], triggers: [Definition] = [],
    rows: [String: [Int: Int64]], highestKeys: [String: Int64], ignoresCase: Bool
  ) {
    (self.tables, self.indexes, self.triggers) = (tables, indexes, triggers)
    (self.rows, self.highestKeys, self.ignoresCase) = (rows, highestKeys, ignoresCase)
  }

  package func hasTable(_ name: String) -> Bool { tables[name] != nil }

  package func hasColumn(_ column: String, in table: String) -> Bool {
    tables[table]?.contains {
      $0.name == column || ignoresCase && $0.name.uppercased() == column.uppercased()
    } ?? false
  }

  /// How many rows a table has.
  package func rowCount(of table: String) -> Int64 { rows[table]?.values.reduce(0, +) ?? 0 }

  /// How many rows of exactly one entity a table has.
  package func rowCount(of table: String, entity number: Int) -> Int64 { rows[table]?[number] ?? 0 }

  /// The highest key that was assigned to a row of a table.
  package func highestKey(of table: String) -> Int64 { highestKeys[table] ?? 0 }
}
