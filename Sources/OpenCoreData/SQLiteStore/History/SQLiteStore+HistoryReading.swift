import CSQLite
import Foundation

// Reads history as records. Rows of a damaged file with an unknown entity or type of change are left out.
extension SQLiteStore {
  /// Returns the transactions after a place in the history, oldest first.
  /// - Parameters:
  ///   - range: the number or the date after which transactions are read.
  ///   - withChanges: whether the changes are read, too.
  func readHistory(
    after range: HistoryRange, withChanges: Bool, _ connection: SQLiteConnection
  ) throws -> [HistoryRecord] {
    let records = try readTransactions(after: range, connection)
    guard withChanges, let first = records.first, let last = records.last else { return records }
    let changes = try readChanges(first.number...max(first.number, last.number), connection)
    return records.map { $0.with(changes[$0.number] ?? []) }
  }

  /// Checks that no transaction is missing right after a transaction.
  /// - Throws: 134301 if one is missing, or if the store has never had a transaction of that number.
  func checkHistory(after number: Int64, _ connection: SQLiteConnection) throws {
    let latest = try HistoryTables.latestTransaction(connection)
    if number == latest { return }
    let first = try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION")
    if number >= 0, number < latest, let first, first > 0, first - 1 <= number { return }
    throw historyExpiredError
  }

  /// The error for a token to whose place the history does not reach.
  var historyExpiredError: NSError {
    NSError(
      coreData: NSPersistentHistoryTokenExpiredError,
      "The history of the store at \(path) after the given token is not there any more, or never was.",
      [NSFilePathErrorKey: path])
  }

  private func readTransactions(after range: HistoryRange, _ connection: SQLiteConnection) throws -> [HistoryRecord] {
    let columns = try HistoryTables.columns(of: "ATRANSACTION", connection)
    let hasStrings = try !HistoryTables.columns(of: "ATRANSACTIONSTRING", connection).isEmpty
    // The files of other versions lack some of these columns.
    let texts = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { name in
      let plain = columns.contains(name) ? "T.\(name)" : "NULL"
      guard hasStrings, columns.contains(name + "TS") else { return plain }
      return "IFNULL((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = T.\(name)TS), \(plain))"
    }
    let condition: String
    switch range {
    case .number: condition = "T.Z_PK > ?"
    case .snapshot: throw historyExpiredError
    case .date: condition = "T.ZTIMESTAMP > ?"
    }
    let statement = try connection.statement(
      "SELECT T.Z_PK, T.ZTIMESTAMP, \(texts.joined(separator: ", ")) FROM ATRANSACTION T WHERE \(condition) "
        + "ORDER BY T.Z_PK")
    switch range {
    case .number(let number): statement.bind(number, at: 1)
    // Refused above.
    case .snapshot: break
    case .date(let date): statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
    }
    var records: [HistoryRecord] = []
    try collect(statement) { row in
      records.append(
        HistoryRecord(
          storeID: identifier, number: row.int(0),
          timestamp: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row.handle, 1)), author: row.string(2),
          bundleID: row.string(3) ?? "", contextName: row.string(4), processID: row.string(5) ?? ""))
    }
    return records
  }

  /// Returns the changes of the transactions whose numbers are in a range, by transaction number.
  private func readChanges(
    _ numbers: ClosedRange<Int64>, _ connection: SQLiteConnection
  ) throws -> [Int64: [HistoryChangeRecord]] {
    let layouts = history?.layouts ?? schema.entities.map(HistoryLayout.init)
    let columns = try HistoryTables.columns(of: "ACHANGE", connection)
    let wanted = layouts.map(\.preserved.count).max() ?? 0
    // Apple's framework numbers these columns without gaps.
    let tombstones = (0..<wanted).prefix { columns.contains("ZTOMBSTONE\($0)") }.map { ", ZTOMBSTONE\($0)" }
    let statement = try connection.statement(
      "SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(tombstones.joined()) FROM ACHANGE "
        + "WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY ZTRANSACTIONID, Z_PK")
    statement.bind(numbers.lowerBound, at: 1)
    statement.bind(numbers.upperBound, at: 2)
    var changes: [Int64: [HistoryChangeRecord]] = [:]
    try collect(statement) { row in
      guard let type = Int(exactly: row.int(1)).flatMap(NSPersistentHistoryChangeType.init(rawValue:)),
        let number = Int(exactly: row.int(2)), number > 0, number <= layouts.count, row.int(3) > 0
      else { return }
      let layout = layouts[number - 1]
      let record = HistoryChangeRecord(
        id: row.int(0), type: type,
        objectID: NSManagedObjectID(entity: layout.entity.entity, store: self, key: row.int(3)),
        bitmaps: layout.bitmaps,
        columns: type == .update ? row.data(5) : nil,
        tombstone: type == .delete ? tombstone(layout, count: tombstones.count, row) : nil)
      changes[row.int(4), default: []].append(record)
    }
    return changes
  }

  private func tombstone(_ layout: HistoryLayout, count: Int, _ row: SQLiteStatement) -> [AnyHashable: Any]? {
    guard !layout.preserved.isEmpty else { return nil }
    var values: [AnyHashable: Any] = [:]
    for (index, attribute) in layout.preserved.prefix(count).enumerated() {
      values[attribute.keyPath] = row.value(of: attribute.attribute, at: Int32(6 + index))
    }
    return values
  }
}

extension SQLiteStatement {
  /// Returns a column's value as key-value coding gives the attribute's; nil for NULL, and for a value that the attribute
  /// cannot have.
  fileprivate func value(of attribute: NSAttributeDescription, at column: Int32) -> Any? {
    let type = sqlite3_column_type(handle, column)
    guard type != SQLITE_NULL else { return nil }
    let real = sqlite3_column_double(handle, column)
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return NSNumber(value: int(column))
    case .booleanAttributeType: return NSNumber(value: int(column) != 0)
    case .doubleAttributeType: return NSNumber(value: real)
    case .floatAttributeType: return NSNumber(value: Float(real))
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: real)
    case .decimalAttributeType: return NSDecimalNumber(decimal: RowCodec.decimal(type, column, handle))
    case .stringAttributeType: return string(column)
    case .URIAttributeType: return string(column).flatMap { URL(string: $0) }
    case .UUIDAttributeType:
      guard let data = data(column), data.count == 16 else { return nil }
      return UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    case .transformableAttributeType:
      // If the bytes cannot be decoded, because the class is not in this program for example, the bytes themselves are given.
      return data(column).map { (try? attribute.transformedObject(in: $0)) ?? $0 }
    default: return data(column)
    }
  }
}
