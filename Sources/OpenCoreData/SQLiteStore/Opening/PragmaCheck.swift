import CSQLite
import Foundation
import Synchronization

/// What SQLite's pragmas may be set to. SQLite itself takes any name and any value, and does nothing for a wrong one.
enum PragmaCheck {
  private enum Values {
    /// A Boolean, in one of SQLite's words, or a number.
    case flag
    case integer
    /// One of these words, or the number of its place in the list; `numbers` is false where numbers mean nothing.
    case words([String], numbers: Bool = true)
    /// A power of two that a page may have.
    case pageSize

    func contains(_ value: String) -> Bool {
      switch self {
      case .flag: Int64(value) != nil || ["yes", "no", "true", "false", "on", "off"].contains(value)
      case .integer: Int64(value) != nil
      case .words(let words, let numbers):
        words.contains(value) || numbers && Int(value).map(words.indices.contains) == true
      case .pageSize: Int(value).map { (512...65_536).contains($0) && $0 & ($0 - 1) == 0 } == true
      }
    }

    var text: String {
      switch self {
      case .flag: "a Boolean"
      case .integer: "an integer"
      case .words(let words, _): words.joined(separator: ", ")
      case .pageSize: "a power of two from 512 to 65536"
      }
    }
  }

  private static let values: [String: Values] = {
    var all: [String: Values] = [
      "journal_mode": .words(["delete", "truncate", "persist", "memory", "wal", "off"], numbers: false),
      "synchronous": .words(["off", "normal", "full", "extra"]), "temp_store": .words(["default", "file", "memory"]),
      "auto_vacuum": .words(["none", "full", "incremental"]), "locking_mode": .words(["normal"], numbers: false),
      "secure_delete": .words(["no", "yes", "fast", "off", "on", "false", "true"]),
      "encoding": .words(
        ["utf-8", "utf8", "utf-16", "utf16", "utf-16le", "utf16le", "utf-16be", "utf16be"], numbers: false),
      "page_size": .pageSize,
    ]
    for name in [
      "automatic_index", "cache_spill", "case_sensitive_like", "cell_size_check", "checkpoint_fullfsync",
      "defer_foreign_keys", "foreign_keys", "fullfsync", "ignore_check_constraints", "legacy_alter_table", "query_only",
      "read_uncommitted", "recursive_triggers", "reverse_unordered_selects", "trusted_schema", "writable_schema",
    ] { all[name] = .flag }
    for name in [
      "analysis_limit", "application_id", "busy_timeout", "cache_size", "default_cache_size", "hard_heap_limit",
      "journal_size_limit", "max_page_count", "mmap_size", "schema_version", "soft_heap_limit", "threads",
      "user_version", "wal_autocheckpoint",
    ] { all[name] = .integer }
    return all
  }()

  /// Says whether a pragma is to be run. One whose name SQLite does not know is not, and is reported once.
  /// - Parameters:
  ///   - name: the name in lower case.
  ///   - value: the value as text, without quotation marks.
  /// - Throws: 134080 for a value that the pragma cannot have, with what it can.
  static func isKnown(_ name: String, _ value: String) throws -> Bool {
    if let allowed = values[name] {
      if allowed.contains(value.lowercased()) { return true }
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "\(NSSQLitePragmasOption): \(name) cannot be '\(value)'; it may be \(allowed.text).")
    }
    if names.isEmpty || names.contains(name) { return true }
    if reported.withLock({ $0.count < 1000 && $0.insert(name).inserted }) {
      FrameworkLog.write(
        .error, "\(NSSQLitePragmasOption) has a pragma that SQLite does not know, which is left out: '\(name)'.")
    }
    return false
  }

  private static let reported = Mutex<Set<String>>([])

  /// The names of all pragmas; empty if this SQLite does not tell.
  private static let names: Set<String> = {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(":memory:", &database) == SQLITE_OK else { return [] }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, "PRAGMA pragma_list", -1, &statement, nil) == SQLITE_OK else { return [] }
    var names: Set<String> = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, 0) { names.insert(String(cString: text)) }
    }
    return names
  }()
}
