#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The checked options of a store in a server.
  struct ServerOptions: Sendable {
    let schema: String
    let password: PostgreSQLPassword?
    let isReadOnly: Bool
    let ignoresVersion: Bool
    /// How many seconds the store waits for a connection, or for a lock.
    let timeout: TimeInterval
    /// The limit of the connections that read at the same time, and the same limit for those that write.
    let connectionLimit: Int
    let tracksHistory: Bool
    let announcesChanges: Bool
    /// Whether the URL leads to a pooler: then statements cannot be prepared by name, and the settings of a session do
    /// not last.
    let usesPooler: Bool
    /// The URL of the standby from which contexts read.
    let replicaURL: URL?
    /// Settings of the session.
    let settings: [String: String]

    /// - Throws: 134080 for a value of the wrong type, with the name of the option.
    init(_ options: [AnyHashable: Any]?, _ url: URL) throws {
      schema =
        try ServerPlace.parameter(ServerPlace.workingSchema, of: url) ?? Self.text(NSPostgreSQLSchemaOption, options)
        ?? ServerPlace.schema(of: url) ?? "public"
      if schema.isEmpty || schema.utf8.contains(0) || schema.utf8.count > 63 {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "The option \(NSPostgreSQLSchemaOption) must be a name of 1 to 63 bytes, not '\(schema)'.")
      }
      isReadOnly = try StoreOptionValue.flag(NSReadOnlyPersistentStoreOption, in: options)
      ignoresVersion = try StoreOptionValue.flag(NSIgnorePersistentStoreVersioningOption, in: options)
      usesPooler = try StoreOptionValue.flag(NSPostgreSQLConnectionPoolerOption, in: options)
      timeout = try StoreOptionValue.timeout(options)
      let limit = try StoreOptionValue.number(NSPersistentStoreConnectionPoolMaxSizeKey, in: options) ?? 8
      connectionLimit = Int(max(1, min(limit, 1000)))
      let history = try HistoryOptions(options)
      (tracksHistory, announcesChanges) = (history.isTracked, history.announcesChanges)
      replicaURL = try Self.replica(options)
      switch options?[NSPostgreSQLPasswordOption] {
      case nil: password = nil
      case let given as PostgreSQLPassword: password = given
      case let text as String: password = PostgreSQLPassword { text }
      case let other?:
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "The option \(NSPostgreSQLPasswordOption) must be a PostgreSQLPassword, not a \(type(of: other)).")
      }
      // The timeout also limits how long the server waits for a lock.
      var settings = ["lock_timeout": Self.milliseconds(timeout)]
      if let seconds = try StoreOptionValue.number(NSPostgreSQLStatementTimeoutOption, in: options) {
        settings["statement_timeout"] = Self.milliseconds(seconds)
      }
      if let durability = try Self.text(NSPostgreSQLDurabilityOption, options) {
        let known = ["on", "off", "local", "remote_write", "remote_apply"]
        guard known.contains(durability) else {
          throw NSError(
            coreData: NSPersistentStoreOpenError,
            "The option \(NSPostgreSQLDurabilityOption) must be one of \(known.joined(separator: ", ")), not "
              + "'\(durability)'.")
        }
        settings["synchronous_commit"] = durability
      }
      self.settings = settings
    }

    private static func replica(_ options: [AnyHashable: Any]?) throws -> URL? {
      guard let value = options?[NSPostgreSQLReplicaURLOption] else { return nil }
      if let url = value as? URL ?? (value as? String).flatMap(URL.init), ServerPlace.isServer(url) { return url }
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "The option \(NSPostgreSQLReplicaURLOption) must be a URL such as postgresql://user@host/database.")
    }

    /// Returns a number of milliseconds for the server, which takes whole milliseconds, and 0 for no limit. The least
    /// is 1.
    private static func milliseconds(_ seconds: TimeInterval) -> String {
      String(Int(max(1, min(seconds * 1000, 2_000_000_000))))
    }

    private static func text(_ key: String, _ options: [AnyHashable: Any]?) throws -> String? {
      guard let value = options?[key] else { return nil }
      if let text = value as? String { return text }
      throw NSError(
        coreData: NSPersistentStoreOpenError, "The option \(key) must be a String, not a \(type(of: value)).")
    }
  }
#endif
