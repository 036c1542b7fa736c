#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The expression that identifies a server. It is needed because the numbers of transactions and snapshots have a
  /// meaning only on the server that gave them.
  ///
  /// The value is the identifier of the server's cluster, above 0. If a role may not read the identifier, or the server
  /// has none, the value is made from the numbers of the database and the schema, below 0. Another database has another
  /// value, unless it has the same numbers on another server. The two kinds are never compared, because programs with
  /// different roles may use one store.
  struct SystemNumber: Sendable {
    let sql: String

    private static let ofServer = "(SELECT system_identifier FROM pg_control_system())"
    private static let ofSchema =
      "(SELECT -(d.oid::bigint << 31 | (n.oid::bigint & 2147483647)) FROM pg_database d, pg_namespace n "
      + "WHERE d.datname = current_database() AND n.nspname = current_schema())"

    init(_ connection: ServerConnection) throws {
      do {
        try connection.execute("SELECT \(Self.ofServer)")
        sql = Self.ofServer
      } catch let error as ServerError where connection.isUsable && error.isOfMissingFeature {
        sql = Self.ofSchema
      }
    }
  }
#endif
