import CSQLite
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The parts that lines of the log are made of.
@Suite struct LogTextTests {
  @Test func boundValuesAreFoundInTheExpandedStatement() throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    let sql = "SELECT ?, '?', \"rowid?\", ?, ?, ?, ?, ? FROM (SELECT 1 AS \"rowid?\")"
    var statement: OpaquePointer?
    #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    sqlite3_bind_int64(statement, 1, -18)
    sqlite3_bind_text(statement, 2, "it's ? ''x", -1, SQLiteStatement.transient)
    sqlite3_bind_double(statement, 3, 1.5e300)
    sqlite3_bind_blob(statement, 4, [UInt8](repeating: 7, count: 5), 5, SQLiteStatement.transient)
    sqlite3_bind_null(statement, 5)
    sqlite3_bind_text(statement, 6, "", -1, SQLiteStatement.transient)
    #expect(
      BoundValues.texts(of: try #require(statement), sql) == [
        "-18", "\"it's ? ''x\"", "1.5e+300", "<5 bytes>", "nil", "\"\"",
      ])
  }

  @Test func coloursLeaveTheTextAsItIs() {
    let sql = "SELECT t0.ZORDER, 'SELECT' FROM ZBOOK t0 WHERE t0.ZTITLE = ?"
    let colored = SQLColoring.color(sql)
    #expect(colored.hasPrefix("\u{1B}[1;34mSELECT\u{1B}[0m t0.ZORDER, \u{1B}[32m'SELECT'\u{1B}[0m "))
    #expect(colored.hasSuffix("= \u{1B}[35m?\u{1B}[0m"))
    #expect(colored.replacing(/\x1B\[[0-9;]*m/, with: "") == sql)
  }

  @Test(arguments: [
    ("name == 'Ada' AND age > 5", "name == $value AND age > $value"),
    ("name LIKE[cd] '*da?x'", "name LIKE[cd] \"*…?…\""), ("name CONTAINS[cd] 'd'", "name CONTAINS[cd] $value"),
    ("name IN {'a', 'b'} OR NOT (age == nil)", "name IN $values OR (NOT age == nil)"),
    ("SUBQUERY(books, $b, $b.title == 'x').@count > 0", "SUBQUERY(books, $b, $b.title == $value).@count > $value"),
    ("age + 1 < 3", "age + $value < $value"), ("TRUEPREDICATE", "TRUEPREDICATE"),
    ("ANY books.title BEGINSWITH 'secret'", "ANY books.title BEGINSWITH $value"),
  ])
  func shapesHaveNoValues(format: String, shape: String) {
    #expect(PredicateShape.text(of: NSPredicate(format: format)) == shape)
  }

  @Test func linesReadAsApples() {
    let line = CoreDataInstruments.LogLine(kind: .annotation, message: "sql connection fetch time: 0.0001s")
    #expect(line.text == "CoreData: annotation: sql connection fetch time: 0.0001s")
  }
}
