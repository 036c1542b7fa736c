import CSQLite
import Foundation
import Testing

/// A value as SQLite has it, told apart by its storage class and compared byte by byte.
enum PlainValue: Equatable, CustomStringConvertible {
  case null
  case integer(Int64)
  case real(Double)
  case text(Data)
  case blob(Data)

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  var text: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }

  static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "real \(value)"
    case .text(let bytes): "'\(String(decoding: bytes.prefix(60), as: UTF8.self))'"
    case .blob(let bytes): "blob of \(bytes.count): \(bytes.prefix(12).map { String(format: "%02X", $0) }.joined())"
    }
  }
}

/// A database read by SQLite's C interface alone: none of the framework's code is asked.
final class PlainDatabase {
  private var handle: OpaquePointer?

  init(_ file: URL) throws {
    let code = sqlite3_open_v2(file.path, &handle, SQLITE_OPEN_READWRITE, nil)
    try #require(code == SQLITE_OK, "\(file.path): \(code)")
    sqlite3_busy_timeout(handle, Int32(1000 * Patience.seconds))
  }

  deinit { sqlite3_close(handle) }

  struct Failure: Error { let code: Int32, text: String }

  /// All rows of a query.
  @discardableResult
  func rows(_ query: String) throws -> [[PlainValue]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_prepare_v2(handle, query, -1, &statement, nil)
    guard code == SQLITE_OK else { throw failure(code) }
    var rows: [[PlainValue]] = []
    code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw failure(code) }
    return rows
  }

  private func failure(_ code: Int32) -> Failure { Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }

  private func value(_ statement: OpaquePointer?, _ column: Int32) -> PlainValue {
    func bytes(_ start: UnsafeRawPointer?) -> Data {
      start.map { Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column))) } ?? Data()
    }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: return .text(bytes(sqlite3_column_text(statement, column)))
    case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(statement, column)))
    default: return .null
    }
  }

  /// Changes the metadata's property list as another program would.
  func setMetadata(_ change: (inout [String: Any]) -> Void) throws {
    guard case .blob(let data)? = try rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else { return }
    var list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    change(&list)
    let new = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    try rows("UPDATE Z_METADATA SET Z_PLIST = X'\(new.map { String(format: "%02X", $0) }.joined())'")
  }

  // MARK: What there is

  func strings(_ query: String) throws -> [String] { try rows(query).compactMap(\.first?.text) }

  func tables() throws -> [String] {
    try strings("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
  }

  func columns(_ table: String) throws -> [String] {
    try rows("PRAGMA table_info(\"\(table)\")").compactMap(\.[1].text)
  }

  func integrity() throws -> [String] { try strings("PRAGMA integrity_check") }

  /// The rows of a table that has a Z_PK, by that key, each value by its column.
  func rowsByKey(_ table: String) throws -> [Int64: [String: PlainValue]] {
    let columns = try columns(table)
    guard let place = columns.firstIndex(of: "Z_PK") else { return [:] }
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return Dictionary(
      try rows("SELECT \(names) FROM \"\(table)\"").map { row in
        (row[place].integer ?? 0, Dictionary(zip(columns, row), uniquingKeysWith: { $1 }))
      }, uniquingKeysWith: { $1 })
  }
}
