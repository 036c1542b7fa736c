import Foundation
import Testing

/// Everything that is in a database, and what is different in another state of it.
struct PlainDump {
  struct Place: Hashable, CustomStringConvertible {
    let table: String
    let row: Int64
    var description: String { "\(table) row \(row)" }
  }

  /// Tables, indexes, triggers and views with their texts.
  let schema: [String]
  let rows: [Place: [String: PlainValue]]

  init(_ database: PlainDatabase) throws {
    schema = try database.strings(
      "SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || IFNULL(sql, '') FROM sqlite_master ORDER BY 1")
    var rows: [Place: [String: PlainValue]] = [:]
    for table in try database.tables() {
      let columns = try database.columns(table)
      for row in try database.rows("SELECT rowid, * FROM \"\(table)\"") {
        rows[Place(table: table, row: row[0].integer ?? 0)] = Dictionary(
          zip(columns, row.dropFirst()), uniquingKeysWith: { $1 })
      }
    }
    self.rows = rows
  }

  struct Changes {
    var added: Set<Place> = []
    var removed: Set<Place> = []
    /// The columns that differ in rows that both states have.
    var changed: [Place: Set<String>] = [:]
  }

  func changes(to later: PlainDump) -> Changes {
    var changes = Changes()
    for (place, row) in rows {
      guard let new = later.rows[place] else { changes.removed.insert(place); continue }
      if row != new { changes.changed[place] = Set(row.keys).union(new.keys).filter { row[$0] != new[$0] } }
    }
    for place in later.rows.keys where rows[place] == nil { changes.added.insert(place) }
    return changes
  }
}
