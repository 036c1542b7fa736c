import CSQLite
import Foundation

/// The index of a write-ahead log (-shm). The connections of a process share it, as the first of them has opened it: while one
/// looks at a file with an index that it only reads (`StoreInspection`), so do all others, and those that begin then can never
/// write, however long they are open.
enum SharedIndex {
  /// How often a connection is opened anew, ten milliseconds apart.
  private static let mostAttempts = 500
  /// Called each time that a connection could not write, for tests.
  @TaskLocal static var whenOnlyRead: (@Sendable () -> Void)?

  /// Returns a connection that can write to an existing file. If the file itself cannot be written, neither can the connection
  /// (`sqlite3_db_readonly`), and nothing is waited for.
  /// - Parameter prepare: called for each connection that is tried: as its first use, before it takes any lock.
  static func writable(
    _ path: String, timeout: TimeInterval, _ prepare: (SQLiteConnection) throws -> Void = { _ in }
  ) throws -> SQLiteConnection {
    try writable(timeout: timeout) {
      let connection = try SQLiteConnection(
        path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
      try prepare(connection)
      return connection
    }
  }

  /// Returns a connection that can write. Another thread that only reads the index lets go of it in a moment.
  /// - Parameters:
  ///   - timeout: how long the connection waits for locks.
  ///   - open: opens a connection to a database, in which it has read.
  static func writable(timeout: TimeInterval, _ open: () throws -> SQLiteConnection) throws -> SQLiteConnection {
    for _ in 0..<mostAttempts {
      let connection = try open()
      if !isOnlyRead(by: connection, timeout) { return connection }
      whenOnlyRead?()
      usleep(10_000)
    }
    return try open()
  }

  /// Whether SQLite refuses to write. It says so before it asks for a lock.
  private static func isOnlyRead(by connection: SQLiteConnection, _ timeout: TimeInterval) -> Bool {
    if sqlite3_db_readonly(connection.handle, "main") != 0 { return false }
    connection.waitForLocks(0)
    defer { connection.waitForLocks(timeout) }
    let code = sqlite3_exec(connection.handle, "BEGIN IMMEDIATE", nil, nil, nil)
    if code == SQLITE_OK { sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil) }
    return code & 0xff == SQLITE_READONLY
  }
}
