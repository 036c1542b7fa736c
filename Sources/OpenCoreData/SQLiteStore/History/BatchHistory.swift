import Foundation

/// Writes the changes of a batch request as one history transaction, which begins with the first change.
struct BatchHistory {
  private let store: SQLiteStore
  private let log: HistoryLog
  private let source: HistorySource
  private let connection: SQLiteConnection
  private var transaction: Int64?

  /// Returns nil if the store does not track history.
  init?(_ store: SQLiteStore, _ source: HistorySource, _ connection: SQLiteConnection) {
    guard let log = store.history else { return nil }
    self.store = store
    self.log = log
    self.source = source
    self.connection = connection
  }

  private mutating func begun() throws -> Int64 {
    if let transaction { return transaction }
    let new = try store.beginHistory(source, connection)
    transaction = new
    return new
  }

  /// Writes insertions of an entity's new rows, which have all keys of the range.
  mutating func noteInserts(of entity: SQLEntity, _ keys: ClosedRange<Int64>) throws {
    let transaction = try begun()
    let change = try store.takeKeys(keys.count, entity: HistoryTables.change, connection)
    let statement = try connection.statement(
      store.historyStatements.insertions(of: entity).statement(store.schema.dialect).text)
    statement.bind(change - keys.lowerBound, at: 1)
    statement.bind(transaction, at: 2)
    statement.bind(keys.lowerBound, at: 3)
    statement.bind(keys.upperBound, at: 4)
    try statement.run()
  }

  /// Writes updates of rows in which the named properties were changed.
  mutating func noteUpdates(of rows: ContiguousArray<BatchedRow>, properties: some Sequence<String>) throws {
    if rows.isEmpty { return }
    let transaction = try begun()
    var change = try store.takeKeys(rows.count, entity: HistoryTables.change, connection)
    let statement = try store.changeStatement(connection)
    var bitmaps: [Int: Data] = [:]
    for row in rows where log.layouts.indices.contains(row.number - 1) {
      let columns = bitmaps[row.number] ?? log.layouts[row.number - 1].bitmaps.bitmap(of: properties)
      bitmaps[row.number] = columns
      try store.write(statement, change, .update, row.number, row.key, transaction, columns)
      change += 1
    }
  }

  /// Writes deletions of the entity's rows whose keys are in a table of keys, with the values that are kept of deleted rows.
  /// Must be called before the rows are deleted.
  mutating func noteDeletions(of entity: SQLEntity, in table: String) throws {
    let statements = store.historyStatements, dialect = store.schema.dialect
    let count = Int(try connection.integer(statements.count(of: entity, in: table).statement(dialect).text) ?? 0)
    if count == 0 { return }
    let transaction = try begun()
    let change = try store.takeKeys(count, entity: HistoryTables.change, connection)
    let statement = try connection.statement(
      statements.deletions(log.layouts[entity.number - 1], in: table).statement(dialect).text)
    statement.bind(change - 1, at: 1)
    statement.bind(transaction, at: 2)
    try statement.run()
  }
}
