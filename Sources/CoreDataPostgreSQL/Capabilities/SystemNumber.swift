#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The expression that identifies a server: the numbers of transactions and snapshots mean something only on the server
  /// that has given them.
  ///
  /// Its value is the identifier of the server's cluster, which is above 0. If a role may not ask for that identifier, or a
  /// server has none, the value is made of the numbers of database and schema instead, and below 0. Another database has
  /// another value then, unless it has the same numbers on another server. Values of the two kinds are never compared,
  /// because programs with different roles may use one store.
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
