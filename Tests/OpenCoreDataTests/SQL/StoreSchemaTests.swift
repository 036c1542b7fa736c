import CSQLite
import Foundation
import Testing

@testable import OpenCoreData

@Suite("The schema of stores that Apple's framework wrote")
struct StoreSchemaTests {
  /// The stores beside the package, if they are there.
  static var stores: [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folders = ["../shared", "../../shared"].map { root.appendingPathComponent("\($0)/corpus/stores") }
    let folder = folders.first { FileManager.default.fileExists(atPath: $0.path) }
    let files = folder.flatMap { FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil) }
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "sqlite" }.sorted { $0.path < $1.path }
  }

  /// Copies a store with its write-ahead log, since the tables may be in the log alone.
  private static func copy(_ store: URL, to folder: URL) throws -> URL {
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] where manager.fileExists(atPath: store.path + suffix) {
      let data = try Data(contentsOf: URL(fileURLWithPath: store.path + suffix))
      try data.write(to: folder.appendingPathComponent("store.sqlite" + suffix))
    }
    return folder.appendingPathComponent("store.sqlite")
  }

  private static func rows(_ file: URL, _ sql: String) -> [[SQLValue]] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(file.path, &connection) == SQLITE_OK else { return [] }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(statement) }
    var rows: [[SQLValue]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          if let bytes = sqlite3_column_blob(statement, column), sqlite3_column_type(statement, column) == SQLITE_BLOB {
            return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column))))
          }
          return sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        })
    }
    return rows
  }

  @Test("A model decoded from a store gives the store's tables", arguments: stores)
  func tables(_ original: URL) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Self.copy(original, to: folder)
    guard case .blob(let cache)? = Self.rows(store, "SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first else { return }
    let model = try ModelCache.decode(cache)
    model.freeze()
    let schema = SQLModel(model: model)
    var texts: [String: String] = [:]
    for row in Self.rows(store, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
      if case .text(let name) = row[0], case .text(let sql) = row[1] { texts[name] = sql }
    }
    let statements = DDL.tables(of: schema) + DDL.indexes(of: schema) + DDL.bookkeeping
    for statement in statements { #expect(texts[Self.name(statement)] == statement) }
    let names = Set(statements.map(Self.name))
    let others = texts.keys.filter { !names.contains($0) && !Self.isOfHistory($0) }
    // Derived attributes are computed here by the framework, not by triggers.
    #expect(others.allSatisfy { $0.hasPrefix("Z_DA_") })
  }

  private static func isOfHistory(_ name: String) -> Bool {
    ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"].contains { name.hasPrefix($0) }
  }

  private static func name(_ statement: String) -> String {
    let words = statement.split(separator: " ")
    return String(words[1] == "UNIQUE" ? words[3] : words[2])
  }
}
