import CSQLite
import Foundation

extension InspectedStore {
  /// Interrupts the running statement, which then throws. Any thread may call this as long as the store is open.
  package func stop() { sqlite3_interrupt(connection.handle) }

  /// Ends the read transaction. Nothing may be read after this.
  package func endReading() { try? connection.execute("COMMIT") }

  /// Whether an error says that ``stop()`` has interrupted a statement.
  package static func wasStopped(_ error: any Error) -> Bool { SQLiteError.has(error, code: SQLITE_INTERRUPT) }
}
