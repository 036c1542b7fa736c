#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The server that a store is on, and the server's snapshot when the store is opened.
  ///
  /// Transaction numbers are valid on one server only. A store that was dumped and restored on another server has
  /// numbers of the first: there its changes and commits have no meaning, and places in its history are not valid.
  struct ServerIdentity: Sendable {
    /// The store's `SystemNumber`, the same for the server's standbys.
    let system: Int64
    let snapshot: TransactionSnapshot

    /// Reads the identity. If the store came from another server, its history is deleted, unless the store is opened
    /// read-only. If history is tracked, the store notes from now on that it has a history.
    init(
      _ connection: ServerConnection, _ options: ServerOptions, _ place: ServerPlace, _ number: SystemNumber
    ) throws {
      var found = try Self.look(connection, place, number)
      if found.isForeign, !options.isReadOnly {
        try Self.forgetHistory(connection, place, number)
        found = try Self.look(connection, place, number)
      }
      if options.tracksHistory, !options.isReadOnly, !found.hasHistory { try Self.run(Self.beginHistory, connection) }
      (system, snapshot) = (found.system, found.snapshot)
    }

    private struct Found {
      let system: Int64
      let snapshot: TransactionSnapshot
      let isForeign: Bool
      let hasHistory: Bool
    }

    /// Returns the statement that compares the store's number with the server's. Numbers of two kinds are not compared:
    /// then the store keeps its number.
    private static func question(_ number: SystemNumber) -> ServerStatement {
      ServerStatement(
        """
        SELECT CASE WHEN (s.system < 0) <> (c.number < 0) THEN s.system ELSE c.number END, pg_current_snapshot()::text, \
        s.system IS NULL OR (s.system < 0) = (c.number < 0) AND s.system <> c.number \
        OR EXISTS (SELECT FROM "_commit" WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())), s.purged IS NOT NULL \
        FROM "_store" s, (SELECT \(number.sql) AS number) c
        """, isPrepared: false)
    }

    private static func look(
      _ connection: ServerConnection, _ place: ServerPlace, _ number: SystemNumber
    ) throws -> Found {
      var found: Found?
      var flight = Flight()
      flight.add(question(number)) { result in
        guard result.rowCount == 1, let snapshot = TransactionSnapshot(result.string(0, 1)) else { return }
        found = Found(
          system: result.int64(0, 0), snapshot: snapshot, isForeign: result.bool(0, 2), hasHistory: result.bool(0, 3))
      }
      try connection.run(flight)
      guard let found else {
        throw NSError(
          coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
          "The store at \(place.display) is damaged: the table \"_store\" has no row.",
          [NSFilePathErrorKey: place.display])
      }
      return found
    }

    private static let beginHistory = ServerStatement(
      "UPDATE \"_store\" SET purged = '{}' WHERE purged IS NULL", isPrepared: false)

    /// Deletes the rows that another server's transactions have left. Other programs that open the store in the
    /// meantime wait, and find the rows deleted.
    private static func forgetHistory(
      _ connection: ServerConnection, _ place: ServerPlace, _ number: SystemNumber
    ) throws {
      func statement(_ text: String) -> ServerStatement { ServerStatement(text, isPrepared: false) }
      do {
        var lock = Flight()
        lock.add(statement("BEGIN"))
        lock.add(statement("SELECT FROM \"_store\" FOR UPDATE"))
        try connection.run(lock)
        if try look(connection, place, number).isForeign {
          var flight = Flight()
          for table in ["_commit", "_change", "_reader", "_horizon"] {
            flight.add(statement("DELETE FROM \"\(table)\""))
          }
          // Earlier places have the number of another server or, if the number is the same, do not see this
          // transaction.
          flight.add(
            statement(
              """
              UPDATE "_store" SET system = \(number.sql), \
              purged = CASE WHEN purged IS NOT NULL THEN ARRAY[pg_current_xact_id()] END
              """))
          try connection.run(flight)
        }
        try run(statement("COMMIT"), connection)
      } catch {
        try? run(statement("ROLLBACK"), connection)
        throw error
      }
    }

    private static func run(_ statement: ServerStatement, _ connection: ServerConnection) throws {
      var flight = Flight()
      flight.add(statement)
      try connection.run(flight)
    }
  }
#endif
