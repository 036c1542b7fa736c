import CSQLite
import Foundation

extension InspectedStore {
  /// Returns transactions of the history, the latest first; empty if the store keeps no history.
  package func history(_ range: InspectedHistoryRange) throws -> [InspectedTransaction] {
    guard hasTable("ATRANSACTION"), hasTable("ACHANGE") else { return [] }
    let number = try range.object.map { try entity(named: $0.entity).number }
    var conditions = range.before.map { ["T.Z_PK < \($0)"] } ?? []
    let changed = range.object.map { "C.ZENTITY = \(number ?? 0) AND C.ZENTITYPK = \($0.key)" }
    if let changed { conditions.append("T.Z_PK IN (SELECT C.ZTRANSACTIONID FROM ACHANGE C WHERE \(changed))") }
    let texts = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map(historyText)
    let statement = try connection.statement(
      "SELECT T.Z_PK, T.ZTIMESTAMP, \(texts.joined(separator: ", ")) FROM ATRANSACTION T"
        + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
        + " ORDER BY T.Z_PK DESC LIMIT \(range.limit > 0 ? range.limit : -1)")
    statement.begin()
    defer { statement.reset() }
    var names = HistoryNames(self)
    var transactions: [InspectedTransaction] = []
    while try statement.step() {
      let number = statement.int(0)
      let condition = "C.ZTRANSACTIONID = \(number)" + (changed.map { " AND " + $0 } ?? "")
      transactions.append(
        InspectedTransaction(
          number: number, seconds: sqlite3_column_double(statement.handle, 1), author: statement.string(2),
          bundleID: statement.string(3) ?? "", contextName: statement.string(4), processID: statement.string(5) ?? "",
          changeCount: Int(try once("SELECT COUNT(*) FROM ACHANGE C WHERE \(condition)") { $0.int(0) }.first ?? 0),
          changes: try changes(condition, range.changeLimit, &names)))
    }
    return transactions
  }

  /// Returns the SQL for a text of a transaction. The files of other versions lack some of these columns.
  private func historyText(_ name: String) -> String {
    let plain = hasColumn(name, in: "ATRANSACTION") ? "T.\(name)" : "NULL"
    guard hasTable("ATRANSACTIONSTRING"), hasColumn(name + "TS", in: "ATRANSACTION") else { return plain }
    return "IFNULL((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = T.\(name)TS), \(plain))"
  }

  private func changes(_ condition: String, _ limit: Int, _ names: inout HistoryNames) throws -> [InspectedChange] {
    try once(
      "SELECT C.ZCHANGETYPE, C.ZENTITY, C.ZENTITYPK, C.ZCOLUMNS FROM ACHANGE C WHERE \(condition) ORDER BY C.Z_PK "
        + "LIMIT \(limit)"
    ) { row -> InspectedChange? in
      // Rows of a damaged file with an unknown entity or type of change are left out.
      guard let type = Int(exactly: row.int(0)).flatMap(NSPersistentHistoryChangeType.init(rawValue:)),
        let entity = names.entity(Int(row.int(1)))
      else { return nil }
      return InspectedChange(
        type: type, reference: InspectedReference(entity: entity.name, key: row.int(2)),
        properties: type == .update ? names.properties(row.data(3), of: entity) : [])
    }.compactMap { $0 }
  }

  /// Returns the rows of a statement that is not kept, because each time it has other numbers in its text.
  private func once<Value>(_ sql: String, _ value: (SQLiteStatement) -> Value) throws -> [Value] {
    let statement = try SQLiteStatement(sql, on: connection)
    statement.begin()
    defer { statement.reset() }
    var values: [Value] = []
    while try statement.step() { values.append(value(statement)) }
    return values
  }
}

/// The names for the numbers and bits of a history.
private struct HistoryNames {
  private let schema: SQLModel?
  private var layouts: [Int: HistoryBitmapLayout] = [:]

  init(_ store: InspectedStore) { schema = store.schema }

  func entity(_ number: Int) -> SQLEntity? { schema?.entity(number: number) }

  mutating func properties(_ bitmap: Data?, of entity: SQLEntity) -> [String] {
    let layout = layouts[entity.number] ?? HistoryBitmapLayout(entity.entity)
    layouts[entity.number] = layout
    return bitmap.map { layout.properties(in: $0).map(\.name).sorted() } ?? []
  }
}
