import CSQLite

/// The functions that triggers of derived attributes call, in Apple's files and in ours, to tell which rows they change.
///
/// Their arguments are the table, Z_ENT and Z_PK of the row, the attribute's name and its new value, measured on Apple's
/// files; any others are taken without effect.
enum SQLTriggerFunction {
  /// The row's value changed.
  static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  /// The row is new, and got its value.
  static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

  /// Registers both on a connection; the rows that they name go to `rows`.
  ///
  /// - Returns: SQLITE_OK or the first error code.
  static func register(on connection: OpaquePointer, rows: TouchedRows) -> Int32 {
    for name in [updated, inserted] {
      let result = sqlite3_create_function_v2(
        connection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(rows).toOpaque(),
        { context, count, values in
          guard let context, let values, let pointer = sqlite3_user_data(context) else { return }
          if count >= 3, sqlite3_value_type(values[1]) == SQLITE_INTEGER,
            sqlite3_value_type(values[2]) == SQLITE_INTEGER
          {
            Unmanaged<TouchedRows>.fromOpaque(pointer).takeUnretainedValue()
              .add(sqlite3_value_int64(values[2]), of: sqlite3_value_int64(values[1]))
          }
          sqlite3_result_null(context)
        }, nil, nil, { pointer in pointer.map { Unmanaged<TouchedRows>.fromOpaque($0).release() } })
      if result != SQLITE_OK { return result }
    }
    return SQLITE_OK
  }
}

/// The rows whose derived attributes triggers have changed on a connection since its transaction began. Guarded by the
/// same lock as the connection.
final class TouchedRows {
  /// Primary keys by Z_ENT.
  private(set) var keys: [Int64: Set<Int64>] = [:]

  func add(_ key: Int64, of number: Int64) {
    if number > 0 { keys[number, default: []].insert(key) }
  }

  func removeAll() { if !keys.isEmpty { keys = [:] } }
}
