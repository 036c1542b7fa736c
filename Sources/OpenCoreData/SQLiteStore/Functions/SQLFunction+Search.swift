import CSQLite
import OpenCocoaFoundation

extension SQLFunction {
  /// Registers the function for tests of strings under options: those of a string, a pattern, the options and the test. It gives
  /// NULL if the string or the pattern is NULL. Like that for LIKE, it is called by SQLite without an `SQLFunction` in between.
  static func registerSearch(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, SQLiteDialect.stringSearch, 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let context, let values else { return }
        let arguments = SQLFunctionArguments(values: values, count: 4)
        guard let string = arguments.text(0), let pattern = arguments.text(1),
          let test = SQLStringTest(rawValue: Int(arguments.integer(3)))
        else { return }
        let options = SQLStringOptions(rawValue: Int(arguments.integer(2)))
        do {
          let holds =
            test == .matches
            ? try SQLFunction.compiled(pattern, options, in: context).matches(string)
            : try SQLStringSearch.holds(test, string, pattern, options)
          sqlite3_result_int(context, holds ? 1 : 0)
        } catch {
          SQLFunctionFailure.note(error, in: context)
        }
      }, nil, nil, nil)
  }

  /// Returns the compiled pattern of MATCHES. SQLite keeps it with the statement as long as the pattern is the same constant.
  private static func compiled(
    _ pattern: SQLStringSearch.Bytes, _ options: SQLStringOptions, in context: OpaquePointer
  ) throws -> MatchPattern {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<MatchPattern>.fromOpaque(kept).takeUnretainedValue()
    }
    let compiled = try SQLStringSearch.matchPattern(pattern, options)
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(compiled).toOpaque()) { kept in
      kept.map { Unmanaged<MatchPattern>.fromOpaque($0).release() }
    }
    return compiled
  }
}
