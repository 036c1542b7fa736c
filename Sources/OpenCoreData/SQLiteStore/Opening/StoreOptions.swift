import Foundation

/// The options of a SQLite store, checked.
struct StoreOptions {
  let isReadOnly: Bool
  /// Seconds that every connection waits for a lock.
  let timeout: TimeInterval
  /// The most connections that read at once.
  let readerLimit: Int
  /// Whether a store of another model is opened as if it were of this one.
  let ignoresVersion: Bool
  let analyzes: Bool
  let vacuums: Bool
  let forcesDestruction: Bool
  let history: HistoryOptions
  /// The pragmas that the application asked for, sorted by their names, which are in lower case; values as SQL.
  private let given: [(name: String, value: String)]

  /// - Throws: 134080 for a value of the wrong type, for a pragma with an invalid name, and for a pragma that cannot be set.
  init(_ options: [AnyHashable: Any]?) throws {
    isReadOnly = try StoreOptionValue.flag(NSReadOnlyPersistentStoreOption, in: options)
    ignoresVersion = try StoreOptionValue.flag(NSIgnorePersistentStoreVersioningOption, in: options)
    analyzes = try StoreOptionValue.flag(NSSQLiteAnalyzeOption, in: options)
    vacuums = try StoreOptionValue.flag(NSSQLiteManualVacuumOption, in: options)
    forcesDestruction = try StoreOptionValue.flag(NSPersistentStoreForceDestroyOption, in: options)
    history = try HistoryOptions(options)
    timeout = try Self.timeout(options)
    let limit = try StoreOptionValue.number(NSPersistentStoreConnectionPoolMaxSizeKey, in: options) ?? 8
    readerLimit = Int(max(1, min(limit, 1000)))
    given = try Self.pragmas(options?[NSSQLitePragmasOption])
  }

  /// Seconds to wait for locks: 240, as in Apple's framework, where the options do not say.
  static func timeout(_ options: [AnyHashable: Any]?) throws -> TimeInterval {
    try StoreOptionValue.timeout(options)
  }

  // MARK: Pragmas

  /// Pragmas that have an effect only before a file has its first page.
  private static let layout: Set<String> = ["page_size", "auto_vacuum", "encoding"]
  /// Pragmas that are written into the file, or act once: only the writing connection runs them.
  private static let persistent = layout.union([
    "journal_mode", "user_version", "application_id", "schema_version", "default_cache_size", "incremental_vacuum",
    "wal_checkpoint", "optimize", "locking_mode",
  ])

  /// For the connection that lays out a new file.
  var layoutPragmas: [(String, String)] {
    let usual = [("page_size", "4096"), ("auto_vacuum", "2")].filter { usual in !given.contains { $0.name == usual.0 } }
    // Setting auto_vacuum makes the first page.
    return (usual + given.filter { Self.layout.contains($0.name) }).sorted { $0.0 > $1.0 }
  }

  /// For the connection that writes, once there is a file.
  func writerPragmas(isPrivate: Bool) -> [(String, String)] {
    let usual = [
      ("journal_mode", "wal"), ("synchronous", isPrivate ? "OFF" : "NORMAL"), ("journal_size_limit", "33554432"),
      ("recursive_triggers", "1"),
    ]
    let named = Set(given.map(\.name))
    let all = usual.filter { !named.contains($0.0) } + given.filter { !Self.layout.contains($0.name) }
    // -com.apple.CoreData.SQLiteDebugSynchronous
    guard let level = LaunchArguments.current.synchronous, !isPrivate else { return all }
    return all.filter { $0.0 != "synchronous" } + [("synchronous", "\(level)")]
  }

  /// For connections that only read.
  func readerPragmas(isPrivate: Bool) -> [(String, String)] {
    writerPragmas(isPrivate: isPrivate).filter { !Self.persistent.contains($0.0) }
  }

  private static func pragmas(_ option: Any?) throws -> [(name: String, value: String)] {
    guard let option else { return [] }
    guard let dictionary = (option as? NSDictionary) ?? (option as? [String: Any]).map({ NSDictionary(dictionary: $0) })
    else {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "\(NSSQLitePragmasOption) must be a dictionary of names and values, not \(option).")
    }
    return try dictionary.map { key, value in
      // A pragma cannot be prepared with variables, so its name must not be able to be anything else.
      guard let name = key as? String, isName(name) else {
        throw NSError(
          coreData: NSPersistentStoreOpenError, "\(NSSQLitePragmasOption) has a pragma with an invalid name: '\(key)'.")
      }
      if name.lowercased() == "locking_mode", text(of: value).lowercased() != "normal" {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "A store has several connections: locking_mode cannot be \(value), one would lock the others out.")
      }
      return (name.lowercased(), text(of: value))
    }.sorted { $0.name < $1.name }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !(name.first?.isNumber ?? true)
      && name.utf8.allSatisfy {
        $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
      }
  }

  /// A number or a name is written unchanged, any other value as a string.
  private static func text(_ value: String) -> String {
    isName(value) || Double(value)?.isFinite == true ? value : "'\(value.replacingOccurrences(of: "'", with: "''"))'"
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let value as String: text(value)
    case let value as Bool: value ? "1" : "0"
    case let value as NSNumber: text(value.stringValue)
    default: text("\(value)")
    }
  }
}
