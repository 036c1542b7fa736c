import Foundation

extension SQLiteStore {
  /// Deletes the transactions before a place in the history, and their changes. The strings that they use stay, because later
  /// transactions may use them, too.
  /// - Returns: the number of deleted changes.
  func deleteHistory(before range: HistoryRange) throws -> Int {
    if isReadOnly { throw readOnlyError }
    if case .snapshot = range { throw historyExpiredError }
    return try writer.transaction { connection in
      guard try HistoryTables.exist(connection) else { return 0 }
      let statements = historyStatements, dialect = schema.dialect
      let changes = try connection.statement(statements.purgeOfChanges(range).statement(dialect).text)
      let transactions = try connection.statement(statements.purgeOfTransactions(range).statement(dialect).text)
      var count = 0
      for statement in [changes, transactions] {
        switch range {
        case .number(let number): statement.bind(number, at: 1)
        // Refused above.
        case .snapshot: break
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
