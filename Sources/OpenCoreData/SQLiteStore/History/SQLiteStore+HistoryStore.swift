import Foundation

extension SQLiteStore: HistoryStore {
  func hasHistory(_ transaction: ReadTransaction) throws -> Bool {
    try transaction.read(latest: true) { connection, _ in try HistoryTables.exist(connection) }
  }

  func readHistory(
    after range: HistoryRange, known: Int64?, withChanges: Bool, _ transaction: ReadTransaction
  ) throws -> [HistoryRecord] {
    try transaction.read(latest: true) { connection, _ in
      if let known { try checkHistory(after: known, connection) }
      return try readHistory(after: range, withChanges: withChanges, connection)
    }
  }

  func latestHistoryNumber() throws -> Int64? {
    try writer.withConnection { connection in
      try HistoryTables.exist(connection) ? try HistoryTables.latestTransaction(connection) : nil
    }
  }
}
