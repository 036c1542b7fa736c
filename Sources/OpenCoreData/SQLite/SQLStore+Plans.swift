import CSQLite
import CocoaFoundation
import Foundation

/// A statement's text with the values for its variables.
struct SelectPlan: Sendable {
  let sql: String
  let bindings: [SQLValue]

  func bind(_ statement: SQLiteStatement) {
    for (index, value) in bindings.enumerated() { statement.bind(value, at: Int32(index + 1)) }
  }
}

extension SQLiteStatement {
  func bind(_ value: SQLValue, at index: Int32) {
    switch value {
    case .null: bindNull(at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let value): bind(value, at: index)
    }
  }
}

extension SQLStore {
  /// What a fetch's statement returns.
  enum SelectResult { case rows, keys, count }

  /// The statement for a fetch.
  func selectPlan(_ target: FetchTarget, _ entity: SQLEntity, _ result: SelectResult) throws -> SelectPlan {
    let columns = entity.rowLayout.columnNames.map { ", t0.\($0)" }.joined()
    return SelectPlan(
      sql: "SELECT t0.Z_PK, \(entity.sharesTable ? "t0.Z_ENT" : "0"), t0.Z_OPT\(columns) FROM \(entity.tableName) t0",
      bindings: [])
  }
}
extension NSManagedObjectContext {
  final func execute(_ request: NSBatchUpdateRequest) throws -> NSPersistentStoreResult { NSPersistentStoreResult() }
}
extension SQLiteConnection { func registerFunctions() throws {} }
