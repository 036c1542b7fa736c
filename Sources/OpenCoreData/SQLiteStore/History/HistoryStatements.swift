/// The statements that write and purge persistent history in the tables of Apple's files.
struct HistoryStatements: Sendable {
  let fixed: SQLFixedColumns

  private var key: SQLExpression { .name(fixed.key) }

  private static let ofChanges: [(name: String, type: SQLColumnType)] = [
    ("ZCHANGETYPE", .integer16), ("ZENTITY", .entityNumber), ("ZENTITYPK", .key), ("ZTRANSACTIONID", .key),
  ]

  /// The columns of a change that every kind of change has.
  private var common: [String] { [fixed.key, fixed.entity] + Self.ofChanges.map(\.name) }

  /// Writes one change. The variables are its key, type, entity, row, transaction and the bits of the changed properties.
  var change: SQLInsert {
    SQLInsert(
      "ACHANGE", common + ["ZCOLUMNS"],
      .values(
        [.parameter(.key), .integer(HistoryTables.change)] + Self.ofChanges.map { .parameter($0.type) }
          + [.parameter(.data)]))
  }

  /// Writes a transaction. The variables are its key, the keys of author, bundle, context and process, and the time.
  var transaction: SQLInsert {
    let strings = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
    return SQLInsert(
      "ATRANSACTION", [fixed.key, fixed.entity] + strings + ["ZTIMESTAMP"],
      .values(
        [.parameter(.key), .integer(HistoryTables.transaction)] + strings.map { _ in .parameter(.key) }
          + [.parameter(.timestamp)]))
  }

  /// Selects the key of a string.
  var knownString: SQLSelect {
    SQLSelect([key], from: "ATRANSACTIONSTRING", where: .compare(.equal, .name("ZNAME"), .parameter(.string)))
  }

  /// Writes a string. The variables are its key and the string.
  var string: SQLInsert {
    SQLInsert(
      "ATRANSACTIONSTRING", [fixed.key, fixed.entity, "ZNAME"],
      .values([.parameter(.key), .integer(HistoryTables.string), .parameter(.string)]))
  }

  // MARK: Changes of many rows

  private func changes(
    of entity: SQLEntity, _ type: NSPersistentHistoryChangeType, key change: SQLExpression, number: SQLExpression,
    where condition: SQLExpression
  ) -> SQLSelect {
    SQLSelect(
      [change, .integer(HistoryTables.change), .integer(type.rawValue), number, key, .parameter(.key)],
      from: entity.tableName, where: condition)
  }

  /// Writes insertions of all new rows whose keys are in a range. The variables are the number that gives the key of a change
  /// when it is added to the key of the row, the transaction, and the bounds of the range.
  func insertions(of entity: SQLEntity) -> SQLInsert {
    SQLInsert(
      "ACHANGE", common,
      .select(
        changes(
          of: entity, .insert, key: .arithmetic(.plus, .parameter(.key), key), number: .name(fixed.entity),
          where: .between(key, .parameter(.key), .parameter(.key)))))
  }

  /// Writes the deletion of one row, with the values that are kept of deleted rows. The variables are the key of the change,
  /// the transaction and the key of the row.
  func deletion(_ layout: HistoryLayout) -> SQLInsert {
    deletions(layout, key: .parameter(.key), where: .compare(.equal, key, .parameter(.key)))
  }

  /// Writes deletions of an entity's rows whose keys are in a table of keys. The variables are the last key of the changes
  /// before, and the transaction.
  func deletions(_ layout: HistoryLayout, in keys: String) -> SQLInsert {
    let number = SQLExpression.arithmetic(.plus, .parameter(.key), .rowNumber(orderedBy: key))
    let selection = SQLSelect([key], from: keys, where: isOf(layout.entity))
    return deletions(layout, key: number, where: .inSelect(key, selection))
  }

  /// Selects how many rows of an entity are in a table of keys.
  func count(of entity: SQLEntity, in keys: String) -> SQLSelect {
    SQLSelect([.function(.count, [])], from: keys, where: isOf(entity))
  }

  private func isOf(_ entity: SQLEntity) -> SQLExpression {
    .compare(.equal, .name(fixed.entity), .integer(entity.number))
  }

  /// Copies the values that are kept of deleted rows from column to column, in the form that the row has. Values that may be
  /// in files of their own become NULL, because the files are removed with the row.
  private func deletions(_ layout: HistoryLayout, key change: SQLExpression, where condition: SQLExpression)
    -> SQLInsert
  {
    var select = changes(
      of: layout.entity, .delete, key: change, number: .integer(layout.entity.number), where: condition)
    select.results += layout.preserved.map { SQLResult($0.attribute.isKeptWithMark ? .null : .name($0.columnName)) }
    return SQLInsert(
      "ACHANGE", common + layout.preserved.indices.map { "ZTOMBSTONE\($0)" }, .select(select))
  }

  // MARK: Purging

  /// Selects the first transaction that was saved at a time or after it.
  var firstSince: SQLSelect {
    SQLSelect(
      [.function(.minimum, [key])], from: "ATRANSACTION",
      where: .compare(.greaterOrEqual, .name("ZTIMESTAMP"), .parameter(.timestamp)))
  }

  /// Deletes the changes of the transactions before one.
  var purgeOfChanges: SQLChange {
    let transactions = SQLSelect([key], from: "ATRANSACTION", where: isBefore)
    return SQLChange(table: "ACHANGE", condition: .inSelect(.name("ZTRANSACTIONID"), transactions))
  }

  /// Deletes the transactions before one.
  var purgeOfTransactions: SQLChange { SQLChange(table: "ATRANSACTION", condition: isBefore) }

  private var isBefore: SQLExpression { .compare(.less, key, .parameter(.key)) }
}
