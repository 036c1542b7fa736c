import Foundation

/// The layouts and names with which a store that tracks history writes it.
final class HistoryLog: Sendable {
  /// The layouts of the entities, at the index Z_ENT - 1.
  let layouts: [HistoryLayout]
  let bundleID: String
  let processName: String

  init(_ schema: SQLModel) {
    layouts = schema.entities.map(HistoryLayout.init)
    processName = ProcessInfo.processInfo.processName
    bundleID = Bundle.main.bundleIdentifier ?? processName
  }
}

// History is written in the transaction of the changes themselves, so that neither is committed without the other.
extension SQLiteStore {
  /// Writes the history of a save. Called before the rows of the save are written, because the values that are kept of a
  /// deleted row are copied from the row. If the keys have a transaction already, the changes belong to that.
  func writeHistory(
    _ plan: SavePlan, _ keys: inout SaveKeys, _ source: HistorySource, _ connection: SQLiteConnection
  ) throws {
    guard let history else { return }
    let count = plan.inserted.count + plan.updated.count + plan.deleted.count
    if count == 0 { return }
    let transaction = try keys.transaction?.latestTransaction ?? beginHistory(source, connection)
    keys.transaction = .number(transaction)
    var change = try takeKeys(count, entity: HistoryTables.change, connection)
    let statement = try changeStatement(connection)
    for row in plan.inserted {
      try write(statement, change, .insert, number(of: row.layout.entity), row.primaryKey, transaction, nil)
      change += 1
    }
    for (row, bits) in zip(plan.updated, plan.historyBits) {
      try write(statement, change, .update, number(of: row.layout.entity), row.primaryKey, transaction, bits)
      change += 1
    }
    for row in plan.deleted {
      let layout = history.layouts[number(of: row.layout.entity) - 1]
      try writeDeletion(layout, change, row.key, transaction, connection)
      change += 1
    }
  }

  /// Returns the bits for the properties that an object has changed, as history has them; nil if the store tracks no history.
  var historyBits: ((NSManagedObject) -> Data)? {
    history.map { history in
      { history.layouts[self.number(of: $0) - 1].bitmaps.bitmap(of: $0) }
    }
  }

  // MARK: Rows

  func changeStatement(_ connection: SQLiteConnection) throws -> SQLiteStatement {
    try connection.statement(for: .history(.change)) {
      try historyStatements.change.statement(schema.dialect)
    }
  }

  var historyStatements: HistoryStatements { HistoryStatements(fixed: schema.dialect.columns) }

  func write(
    _ statement: SQLiteStatement, _ change: Int64, _ type: NSPersistentHistoryChangeType, _ number: Int, _ key: Int64,
    _ transaction: Int64, _ columns: Data?
  ) throws {
    statement.bind(change, at: 1)
    statement.bind(Int64(type.rawValue), at: 2)
    statement.bind(Int64(number), at: 3)
    statement.bind(key, at: 4)
    statement.bind(transaction, at: 5)
    if let columns { statement.bind(columns, at: 6) } else { statement.bindNull(at: 6) }
    try statement.run()
  }

  private func writeDeletion(
    _ layout: HistoryLayout, _ change: Int64, _ key: Int64, _ transaction: Int64, _ connection: SQLiteConnection
  ) throws {
    let statement = try connection.statement(for: .historyDeletion(layout.entity.number)) {
      try historyStatements.deletion(layout).statement(schema.dialect)
    }
    statement.bind(change, at: 1)
    statement.bind(transaction, at: 2)
    statement.bind(key, at: 3)
    try statement.run()
  }

  /// Begins a history transaction and returns its number.
  func beginHistory(_ source: HistorySource, _ connection: SQLiteConnection) throws -> Int64 {
    let bundleID = try string(history?.bundleID, connection)
    let process = try string(history?.processName, connection)
    let context = try string(source.contextName, connection)
    let author = try string(source.author, connection)
    let transaction = try takeKeys(1, entity: HistoryTables.transaction, connection)
    let statement = try connection.statement(for: .history(.transaction)) {
      try historyStatements.transaction.statement(schema.dialect)
    }
    statement.bind(transaction, at: 1)
    for (index, string) in [author, bundleID, context, process].enumerated() {
      if let string { statement.bind(string, at: Int32(index + 2)) } else { statement.bindNull(at: Int32(index + 2)) }
    }
    statement.bind(Date().timeIntervalSinceReferenceDate, at: 6)
    try statement.run()
    return transaction
  }

  /// Returns the key of a string, and writes the string if the store does not have it yet. The key is not kept in memory: it
  /// would be wrong after another process has purged the string, or after this transaction is rolled back.
  private func string(_ text: String?, _ connection: SQLiteConnection) throws -> Int64? {
    guard let text else { return nil }
    let known = try connection.statement(for: .history(.knownString)) {
      try historyStatements.knownString.statement(schema.dialect)
    }
    known.bind(text, at: 1)
    known.begin()
    let key = try known.step() ? known.int(0) : nil
    known.reset()
    if let key { return key }
    let new = try takeKeys(1, entity: HistoryTables.string, connection)
    let statement = try connection.statement(for: .history(.string)) {
      try historyStatements.string.statement(schema.dialect)
    }
    statement.bind(new, at: 1)
    statement.bind(text, at: 2)
    try statement.run()
    return new
  }

  /// Reserves `count` keys of one of the history's entities and returns the first.
  ///
  /// In most cases Z_MAX still has the value that this connection has set, and one statement raises it.
  /// - Throws: 259 if the row of Z_PRIMARYKEY is not there, or is damaged.
  func takeKeys(_ count: Int, entity: Int, _ connection: SQLiteConnection) throws -> Int64 {
    let count = Int64(count)
    if let last = connection.lastHistoryKeys[entity],
      try connection.moveLastKey(of: entity, from: last, to: last + count)
    {
      connection.lastHistoryKeys[entity] = last + count
      return last + 1
    }
    let last = try lastKey(of: entity, connection)
    try setLastKey(last + count, of: entity, connection)
    connection.lastHistoryKeys[entity] = last + count
    return last + 1
  }
}
