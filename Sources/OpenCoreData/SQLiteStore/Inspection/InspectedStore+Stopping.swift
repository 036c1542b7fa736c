import CSQLite
import Foundation

extension InspectedStore {
  /// Ends the statement that runs, which throws then. Any thread may call it, as long as the store is open.
  package func stop() { sqlite3_interrupt(connection.handle) }

  /// Ends the read transaction. Nothing may be read any more.
  package func endReading() { try? connection.execute("COMMIT") }

  /// Whether an error says that a statement was ended by ``stop()``.
  package static func wasStopped(_ error: any Error) -> Bool { SQLiteError.has(error, code: SQLITE_INTERRUPT) }
}
