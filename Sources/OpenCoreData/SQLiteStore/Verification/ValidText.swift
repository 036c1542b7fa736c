import CSQLite

/// The SQL function that tells whether a text is valid UTF-8. It is true for NULL and for values that are not texts.
enum ValidText {
  static let name = "NSCoreDataIsValidText"

  static func register(on connection: SQLiteConnection) throws {
    let code = sqlite3_create_function_v2(
      connection.handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let context, let value = values?[0] else { return }
        sqlite3_result_int(context, ValidText.isValid(value) ? 1 : 0)
      }, nil, nil, nil)
    if code != SQLITE_OK { throw connection.error(code, doing: "registering \(name)") }
  }

  private static func isValid(_ value: OpaquePointer) -> Bool {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else { return true }
    let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    if text.allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: text, as: UTF8.self) != nil
  }
}
