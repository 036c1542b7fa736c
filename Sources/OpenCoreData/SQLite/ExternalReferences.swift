import CSQLite
import Foundation

/// Which files of a store's support folder its rows name, whatever the model.
enum ExternalReferences {
  /// The names, each once: a value is 2, 36 characters and a zero.
  static func names(in connection: SQLiteConnection) throws -> Set<String> {
    var names: Set<String> = []
    for (table, column) in try blobColumns(connection) {
      let statement = try SQLiteStatement(
        "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'blob' AND length(\(column)) = 38", on: connection)
      statement.begin()
      while try statement.step() {
        guard let value = statement.data(0), value.first == 2, value.last == 0 else { continue }
        let name = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        if UUID(uuidString: name) != nil { names.insert(name) }
      }
    }
    return names
  }

  private static func blobColumns(_ connection: SQLiteConnection) throws -> [(table: String, column: String)] {
    let tables = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    return try tables.compactMap { $0[0] }.flatMap { table in
      let quoted = quote(table)
      return try SQLiteStatement("PRAGMA table_info(\(quoted))", on: connection).columns(1, 2)
        .filter { $0.1.uppercased() == "BLOB" }.map { (quoted, quote($0.0)) }
    }
  }

  private static func quote(_ name: String) -> String { "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\"" }
}

extension SQLiteStatement {
  /// Two columns of every row, as text.
  fileprivate func columns(_ first: Int32, _ second: Int32) throws -> [(String, String)] {
    begin()
    defer { reset() }
    var result: [(String, String)] = []
    while try step() { result.append((string(first) ?? "", string(second) ?? "")) }
    return result
  }
}
