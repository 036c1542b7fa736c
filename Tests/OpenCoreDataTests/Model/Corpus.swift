import CSQLite
import Foundation

@_spi(Store) @testable import OpenCoreData

/// The models and stores beside the package that the tests of this folder read, when they are there.
enum Corpus {
  static let shared = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared")

  /// The folder, also where the package is a worktree one level further down.
  static let root: URL? = [
    shared.appendingPathComponent("corpus"),
    shared.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/corpus"),
  ].first { FileManager.default.fileExists(atPath: $0.path) }

  static var isThere: Bool { root != nil }

  /// All files below the corpus with a name or an extension.
  static func files(_ suffix: String, below folder: String = "") -> [URL] {
    guard let root else { return [] }
    let start = folder.isEmpty ? root : root.appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { start.appendingPathComponent($0) }
  }

  /// A blob of a store, read without writing beside it.
  static func blob(_ query: String, in store: URL) -> Data? {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    let path = store.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? store.path
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard
      sqlite3_open_v2("file:\(path)?immutable=1", &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW,
      let bytes = sqlite3_column_blob(statement, 0)
    else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
  }

  /// The metadata of a store.
  static func metadata(of store: URL) -> [String: Any] {
    guard let data = blob("SELECT Z_PLIST FROM Z_METADATA", in: store) else { return [:] }
    return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
  }
}
