import Foundation

/// The options of a SQLite store, with their types checked.
struct StoreOptions {
  let isReadOnly: Bool
  /// How many seconds every connection waits for a lock.
  let timeout: TimeInterval
  /// The largest number of connections that read at the same time.
  let readerLimit: Int
  /// Whether a store that was made with another model is opened as if it were made with this one.
  let ignoresVersion: Bool
  let analyzes: Bool
  let vacuums: Bool
  let forcesDestruction: Bool
  let history: HistoryOptions
  /// The pragmas that the application asks for, sorted by name. The names are in lower case, the values are SQL.
  private let given: [(name: String, value: String)]

  /// - Throws: 134080 for a value of the wrong type, for a pragma with an invalid name, and for a pragma, or a value of one,
  ///   that a store cannot have.
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

  /// Returns how many seconds to wait for locks: as in Apple's framework 240, if the options do not say.
  static func timeout(_ options: [AnyHashable: Any]?) throws -> TimeInterval {
    try StoreOptionValue.timeout(options)
  }

  // MARK: Pragmas

  /// The pragmas that only have an effect before a file has its first page.
  private static let layout: Set<String> = ["page_size", "auto_vacuum", "encoding"]
  /// The pragmas that are written into the file, or that act once. Only the writing connection runs them.
  private static let persistent = layout.union([
    "journal_mode", "user_version", "application_id", "schema_version", "default_cache_size", "incremental_vacuum",
    "wal_checkpoint", "optimize", "locking_mode",
  ])

  /// The pragmas for the connection that lays out a new file.
  var layoutPragmas: [(String, String)] {
    let usual = [("page_size", "4096"), ("auto_vacuum", "2")].filter { usual in !given.contains { $0.name == usual.0 } }
    // Setting auto_vacuum creates the first page, so it comes after the other pragmas.
    return (usual + given.filter { Self.layout.contains($0.name) }).sorted { $0.0 > $1.0 }
  }

  /// The pragmas for the connection that writes, once the file exists.
  func writerPragmas(isPrivate: Bool) -> [(String, String)] {
    let usual = [
      ("journal_mode", "wal"), ("synchronous", isPrivate ? "OFF" : "NORMAL"), ("journal_size_limit", "33554432"),
      ("recursive_triggers", "1"),
    ]
    let named = Set(given.map(\.name))
    let all = usual.filter { !named.contains($0.0) } + given.filter { !Self.layout.contains($0.name) }
    // The level that the launch argument -com.apple.CoreData.SQLiteDebugSynchronous gives.
    guard let level = LaunchArguments.current.synchronous, !isPrivate else { return all }
    return all.filter { $0.0 != "synchronous" } + [("synchronous", "\(level)")]
  }

  /// The pragmas for connections that only read.
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
    return try dictionary.compactMap { key, value in
      // The text of a pragma cannot have variables, so the name must not be able to contain other SQL.
      guard let name = key as? String, isName(name) else {
        throw NSError(
          coreData: NSPersistentStoreOpenError, "\(NSSQLitePragmasOption) has a pragma with an invalid name: '\(key)'.")
      }
      if name.lowercased() == "locking_mode", plainText(of: value).lowercased() != "normal" {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "A store has several connections: locking_mode cannot be \(value), one would lock the others out.")
      }
      guard try PragmaCheck.isKnown(name.lowercased(), plainText(of: value)) else { return nil }
      return (name.lowercased(), text(plainText(of: value)))
    }.sorted { $0.name < $1.name }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !(name.first?.isNumber ?? true)
      && name.utf8.allSatisfy {
        $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
      }
  }

  /// Returns a number or a name as it is, and any other text as a quoted string.
  private static func text(_ value: String) -> String {
    isName(value) || Double(value)?.isFinite == true ? value : "'\(value.replacingOccurrences(of: "'", with: "''"))'"
  }

  private static func plainText(of value: Any) -> String {
    switch value {
    case let value as String: value
    case let value as Bool: value ? "1" : "0"
    case let value as NSNumber: value.stringValue
    default: "\(value)"
    }
  }
}
