import Foundation

extension SQLiteStore {
  /// Deletes the transactions before a place in the history, and their changes. The strings that they use stay, because later
  /// transactions may use them, too.
  ///
  /// A date stands for the first transaction that was not saved before it: a clock that went back must not open a gap, which
  /// no reader would notice.
  /// - Returns: the number of deleted changes.
  func deleteHistory(before range: HistoryRange) throws -> Int {
    if isReadOnly { throw readOnlyError }
    if case .snapshot = range { throw historyExpiredError }
    return try writer.transaction { connection in
      guard try HistoryTables.exist(connection) else { return 0 }
      let statements = historyStatements, dialect = schema.dialect
      let end = try firstTransaction(notBefore: range, connection)
      let changes = try connection.statement(statements.purgeOfChanges.statement(dialect).text)
      let transactions = try connection.statement(statements.purgeOfTransactions.statement(dialect).text)
      var count = 0
      for statement in [changes, transactions] {
        statement.bind(end, at: 1)
        try statement.run()
        if statement === changes { count = connection.changes }
      }
      return count
    } publish: {
      $0
    }
  }

  /// Returns the number of the first transaction that a purge leaves.
  private func firstTransaction(notBefore range: HistoryRange, _ connection: SQLiteConnection) throws -> Int64 {
    switch range {
    case .number(let number): return number
    case .snapshot: throw historyExpiredError
    case .date(let date):
      let statement = try connection.statement(historyStatements.firstSince.statement(schema.dialect).text)
      statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
      statement.begin()
      defer { statement.reset() }
      return try statement.step() && !statement.isNull(0) ? statement.int(0) : .max
    }
  }
}
