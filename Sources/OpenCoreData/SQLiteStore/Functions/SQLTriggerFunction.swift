import CSQLite

/// The functions that the triggers of derived attributes call to tell which rows they change, in Apple's files and in this
/// framework's.
///
/// Their arguments are the table, Z_ENT and Z_PK of the row, the attribute's name and its new value, as measured on Apple's
/// files. Calls with other arguments have no effect.
enum SQLTriggerFunction {
  /// The name of the function for a row whose value has changed.
  static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  /// The name of the function for a new row that has got its value.
  static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

  /// Registers both functions on a connection; they add the rows to `rows`.
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

/// The rows whose derived attributes triggers have changed on a connection since its transaction began. The lock that guards
/// the connection guards them, too.
final class TouchedRows {
  /// The primary keys of the rows, by Z_ENT.
  private(set) var keys: [Int64: Set<Int64>] = [:]

  func add(_ key: Int64, of number: Int64) {
    if number > 0 { keys[number, default: []].insert(key) }
  }

  func removeAll() { if !keys.isEmpty { keys = [:] } }
}
