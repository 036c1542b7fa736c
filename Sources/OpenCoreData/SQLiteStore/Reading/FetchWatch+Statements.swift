import CSQLite
import Foundation
import OpenCocoaFoundation

extension FetchWatch {
  /// How many instructions SQLite's virtual machine executes between two calls of the handler.
  private static let steps: Int32 = 2000

  /// Runs `body`, whose statement on `connection` is interrupted soon after the fetch has been stopped.
  func run(_ connection: SQLiteConnection, _ body: () throws -> Void) throws {
    try check()
    sqlite3_progress_handler(
      connection.handle, Self.steps,
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<FetchWatch>.fromOpaque(watch).takeUnretainedValue().isStopped ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    // The next statement of the connection may belong to another context.
    defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
    do {
      try EvaluationLimit.run(evaluationLimit, body)
    } catch  where isStopped && SQLiteError.has(error, code: SQLITE_INTERRUPT) {
      throw self.error
    }
  }
}

extension SQLiteStore {
  /// Steps through the rows of a statement and counts them. Throws if the fetch is stopped meanwhile.
  @inline(__always)
  func collect(
    _ statement: SQLiteStatement, _ watch: FetchWatch?, _ connection: SQLiteConnection,
    _ body: (SQLiteStatement) throws -> Void
  ) throws {
    guard let watch else { return try collect(statement, body) }
    try watch.run(connection) {
      try collect(statement) { row in
        try body(row)
        try watch.noteRow()
      }
    }
    try watch.report()
  }
}
