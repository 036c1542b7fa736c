import CSQLite
import ExampleSupport
import Foundation

/// SQLite's own comparisons, over the same file: what a request cannot be faster than.
enum PlainSQLite {
  struct Query: Codable {
    var text: String
    var found: Int
    var cost: Cost
  }

  /// Counts places by LIKE, which takes no notice of the capitals of A to Z, and by GLOB, which compares bytes.
  ///
  /// - Throws: ``Failure`` if the file cannot be read.
  static func queries(_ place: String, in store: URL) throws -> [Query] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(store.path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
      throw Failure(database)
    }
    let beginning = Comparison.beginsWith.part(of: place), inside = Comparison.contains.part(of: place)
    return try [
      ("ZPLACE GLOB 'beginning*'", "ZPLACE GLOB '\(beginning)*'"),
      ("ZPLACE GLOB '*inside*'", "ZPLACE GLOB '*\(inside)*'"),
      ("ZPLACE LIKE 'beginning%'", "ZPLACE LIKE '\(beginning)%'"),
      ("ZPLACE LIKE '%inside%'", "ZPLACE LIKE '%\(inside)%'"),
    ].map { text, condition in
      let meter = Meter()
      let found = try count("SELECT COUNT(*) FROM ZSIGHTING WHERE \(condition)", database)
      return Query(text: text, found: found, cost: meter.cost)
    }
  }

  private static func count(_ sql: String, _ database: OpaquePointer?) throws -> Int {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else {
      throw Failure(database)
    }
    return Int(sqlite3_column_int64(statement, 0))
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ database: OpaquePointer?) { description = "SQLite: \(String(cString: sqlite3_errmsg(database)))" }
  }
}
