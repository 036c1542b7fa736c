#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// The expression that tells servers apart: transactions and snapshots have numbers that only the server knows that gave them.
  ///
  /// It is the identifier of the server's cluster, above 0. A role that may not ask for it, or a server that has none, gives the
  /// number of the database and the schema instead, below 0: another database has another one, unless it has the same number on
  /// another server. The two kinds are never compared, since programs with different roles may use one store.
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
