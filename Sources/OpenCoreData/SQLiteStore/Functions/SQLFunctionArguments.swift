import CSQLite
import Foundation

/// The arguments of a call. They are read from SQLite when they are asked for, and must not be used after the call.
struct SQLFunctionArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let count: Int

  /// Returns an argument of any type.
  func value(_ index: Int) -> SQLValue {
    let value = values[index]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(string(index) ?? "")
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else { return .blob(Data()) }
      return .blob(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
    default: return .null
    }
  }

  /// Returns the bytes of an argument; nil for NULL.
  func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
    guard sqlite3_value_type(values[index]) != SQLITE_NULL else { return nil }
    // For an empty value, SQLite returns a null pointer.
    let bytes = sqlite3_value_blob(values[index])
    return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(values[index])))
  }

  /// Returns an argument that is known to be an integer.
  func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

  /// Returns the bytes of a text; nil for NULL.
  func text(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let text = sqlite3_value_text(values[index]) else { return nil }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(values[index])))
  }

  /// Returns a text; nil for NULL.
  func string(_ index: Int) -> String? { text(index).map { String(decoding: $0, as: UTF8.self) } }
}
