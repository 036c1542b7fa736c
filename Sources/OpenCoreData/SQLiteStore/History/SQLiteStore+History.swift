import Foundation

/// The layouts of entities by which a store that tracks history writes it.
final class HistoryLog: Sendable {
  /// By Z_ENT - 1.
  let layouts: [HistoryLayout]
  let bundleID: String
  let processName: String

  init(_ schema: SQLModel) {
    layouts = schema.entities.map(HistoryLayout.init)
    processName = ProcessInfo.processInfo.processName
    bundleID = Bundle.main.bundleIdentifier ?? processName
  }
}

// History is written in the same transaction as the changes, so that neither is ever committed without the other.
extension SQLiteStore {
  /// Notes a save. It is called before the save's rows are written, since values of deleted rows are copied from the rows.
  func writeHistory(
    _ plan: SavePlan, _ keys: inout SaveKeys, _ source: HistorySource, _ connection: SQLiteConnection
  ) throws {
    guard let history else { return }
    let count = plan.inserted.count + plan.updated.count + plan.deleted.count
    if count == 0 { return }
    let transaction = try beginHistory(source, connection)
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

  /// The bits by which history names the properties that an object has changed; nil where no history is kept.
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

  /// Begins a transaction of history, and gives its number.
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

  /// The key of a string, which is written down once. Not kept here: what another process purges, or a transaction that
  /// is rolled back leaves out, would be wrong later.
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

  /// The first of `count` new keys of one of history's entities.
  func takeKeys(_ count: Int, entity: Int, _ connection: SQLiteConnection) throws -> Int64 {
    let statement = try connection.statement(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX")
    statement.bind(Int64(count), at: 1)
    statement.bind(Int64(entity), at: 2)
    var last: Int64?
    try collect(statement) { last = $0.int(0) }
    guard let last else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The store at \(path) has no row in Z_PRIMARYKEY for entity \(entity), which history needs.")
    }
    return last - Int64(count) + 1
  }
}
