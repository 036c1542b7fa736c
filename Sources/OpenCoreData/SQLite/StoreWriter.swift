import CSQLite
import Foundation

/// The one connection that writes, and its lock.
final class StoreWriter: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSRecursiveLock()
  private var connection: SQLiteConnection?

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Runs `body` alone with the connection.
  func withConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    guard let connection else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store has been removed from its coordinator.")
    }
    return try body(connection)
  }

  /// Runs `body` in a transaction that is rolled back if it throws.
  ///
  /// `others` is called first when somebody else has committed since the last time.
  func transaction<Result>(others: () -> Void, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try withConnection { connection in
      try connection.statement("BEGIN IMMEDIATE").run()
      do {
        if try notice(connection) { others() }
        let result = try body(connection)
        try connection.statement("COMMIT").run()
        return result
      } catch {
        // SQLite may have rolled back by itself; then this fails and there is nothing left to undo.
        try? connection.statement("ROLLBACK").run()
        throw error
      }
    }
  }

  /// Whether another process has committed since this was last asked; false while a save runs, which asks by itself.
  func seesForeignCommit() -> Bool {
    guard lock.try() else { return false }
    defer { lock.unlock() }
    guard let connection else { return false }
    return (try? notice(connection)) ?? false
  }

  func close() {
    lock.lock()
    connection = nil
    lock.unlock()
  }

  private func notice(_ connection: SQLiteConnection) throws -> Bool {
    let version = try connection.integer("PRAGMA data_version") ?? 0
    defer { connection.dataVersion = version }
    return connection.dataVersion.map { $0 != version } ?? false
  }
}
