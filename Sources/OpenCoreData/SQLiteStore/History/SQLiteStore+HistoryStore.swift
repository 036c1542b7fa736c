import Foundation

extension SQLiteStore {
  func hasHistory(_ transaction: ReadTransaction) throws -> Bool {
    try transaction.read(latest: true) { connection, _ in try HistoryTables.exist(connection) }
  }

  func readHistory(
    after range: HistoryRange, known: HistoryPlace?, withChanges: Bool, _ transaction: ReadTransaction
  ) throws -> [HistoryRecord] {
    try transaction.read(latest: true) { connection, _ in
      if let known { try checkHistory(after: number(of: known), connection) }
      return try readHistory(after: range, withChanges: withChanges, connection)
    }
  }

  func latestHistoryPlace() throws -> HistoryPlace? {
    try writer.withConnection { connection in
      try HistoryTables.exist(connection) ? .number(try HistoryTables.latestTransaction(connection)) : nil
    }
  }

  /// - Throws: 134301 if the place is one in the history of a store on a server.
  private func number(of place: HistoryPlace) throws -> Int64 {
    guard case .number(let number) = place else { throw tokenOfCopyError }
    return number
  }
}
