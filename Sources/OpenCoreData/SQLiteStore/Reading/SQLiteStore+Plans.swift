import CSQLite
import Foundation
import OpenCocoaFoundation

extension SQLiteStatement {
  /// Binds the values of a fetch's variables, unless they are bound already.
  func bind(_ plan: FetchPlan<SQLStatement>) {
    if boundPlan === plan { return }
    bind(plan.statement.bindings)
    boundPlan = plan
  }

  /// Binds the values of a statement's variables, in their order.
  func bind(_ values: [SQLValue]) {
    boundPlan = nil
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
  }

  private func bind(_ value: SQLValue, at index: Int32) {
    switch value {
    case .null: bindNull(at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let value): bind(value, at: index)
    }
  }
}

extension SQLiteConnection {
  /// Registers the functions that lowered predicates and triggers call.
  /// - Throws: SQLite's error if it refuses one.
  func registerFunctions() throws {
    var code = SQLFunction.register(on: handle, files: (ExternalStorage(storePath: path), missingFiles))
    if code == SQLITE_OK { code = SQLTriggerFunction.register(on: handle, rows: touchedRows) }
    if code != SQLITE_OK { throw error(code, doing: "registering functions") }
  }

  /// Has the functions find values that are beside a link, too.
  /// - Throws: SQLite's error if it refuses one.
  func findStrayedValues(of storage: ExternalStorage) throws {
    guard storage.hasStrayed else { return }
    let code = SQLFunction.register(on: handle, files: (storage, missingFiles))
    if code != SQLITE_OK { throw error(code, doing: "registering functions") }
  }
}

extension SQLiteStore {
  /// Returns the plan for a fetch. It is lowered once for all fetches that differ in constants alone.
  func selectPlan(
    _ target: FetchTarget, _ entity: SQLEntity, _ result: FetchPlanResult
  ) throws -> FetchPlan<SQLStatement> {
    try fetchPlans.plan(
      target, result, model: schema, entity: entity, make: { $0 },
      rebind: { statement, values in
        var statement = statement
        statement.bindings = values
        return statement
      })
  }
}
