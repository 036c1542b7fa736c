import CSQLite
import OpenCocoaFoundation

extension SQLFunction {
  /// Registers the function for LIKE without options. Such a predicate scans whole tables, so SQLite calls this function
  /// directly, without an `SQLFunction` in between.
  static func registerLike(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, SQLiteDialect.like, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let context, let values else { return }
        let arguments = SQLFunctionArguments(values: values, count: 2)
        guard let string = arguments.text(0), let pattern = arguments.text(1) else { return }
        sqlite3_result_int(context, WildcardPattern.matches(string, pattern: pattern) ? 1 : 0)
      }, nil, nil, nil)
  }
}
