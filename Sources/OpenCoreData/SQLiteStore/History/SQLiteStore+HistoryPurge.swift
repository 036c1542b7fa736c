import Foundation

extension SQLiteStore {
  /// Deletes the transactions before a place in history, and their changes. The names that they used stay, since later
  /// ones may use them too.
  /// - Returns: how many changes there were.
  func deleteHistory(before range: HistoryRange) throws -> Int {
    if isReadOnly { throw readOnlyError }
    return try writer.transaction { connection in
      guard try HistoryTables.exist(connection) else { return 0 }
      let condition: String
      switch range {
      case .number: condition = "Z_PK < ?"
      case .date: condition = "ZTIMESTAMP < ?"
      }
      let changes = try connection.statement(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))")
      let transactions = try connection.statement("DELETE FROM ATRANSACTION WHERE \(condition)")
      var count = 0
      for statement in [changes, transactions] {
        switch range {
        case .number(let number): statement.bind(number, at: 1)
        case .date(let date): statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
        }
        try statement.run()
        if statement === changes { count = connection.changes }
      }
      return count
    } publish: {
      $0
    }
  }
}
