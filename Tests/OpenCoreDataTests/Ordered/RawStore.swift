import CSQLite
import Foundation
import Testing

/// Reads and changes a store's file without the framework.
struct RawStore {
  let url: URL

  /// The rows, a column's values joined by "|"; NULL is empty.
  @discardableResult
  func rows(_ sql: String) throws -> [String] {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown, userInfo: ["sql": sql, "error": String(cString: sqlite3_errmsg(handle))])
    }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }.joined(separator: "|"))
    }
    return rows
  }
}
