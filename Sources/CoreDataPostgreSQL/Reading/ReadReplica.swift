#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A standby of the server that reading contexts use, as far as it has what this store's saves have written.
  ///
  /// A save notes up to where the primary's log was written. A transaction begins on the replica if it has replayed that much;
  /// else it waits for a moment, and goes to the primary then. Rows of the replica never come into the row cache, which is of
  /// the primary's states: each transaction keeps its own.
  final class ReadReplica: Sendable {
    /// How long a transaction waits for the replica to have what it needs.
    static let patience = Duration.milliseconds(20)
    /// How long nobody tries again after it did not answer.
    private static let rest = Duration.seconds(2)

    private struct State {
      /// The place in the primary's log that a reader has to see, in bytes.
      var needed: UInt64 = 0
      /// Counts what has happened on the primary whose place is not known.
      var doubts = 1
      /// The doubts that the place accounts for.
      var settled = 0
      var restsUntil: ContinuousClock.Instant?
    }

    let pool: ConnectionPool
    private let state = Mutex(State())

    init(_ place: ServerPlace, limit: Int, observer: any FlightObserver) {
      pool = ConnectionPool(limit: limit) {
        // Nobody waits long for a replica: the primary is there.
        let connection = try ServerConnection(place, deadline: .now + .seconds(1))
        connection.observer = observer
        return connection
      }
    }

    /// What a transaction has to see that begins now; nil where it has to go to the primary.
    var needed: UInt64? {
      state.withLock { state in
        if let rest = state.restsUntil, ContinuousClock.now < rest { return nil }
        return state.settled == state.doubts ? state.needed : nil
      }
    }

    /// A save is committed, and the log was written up to there afterwards.
    func note(written place: UInt64) { state.withLock { $0.needed = max($0.needed, place) } }

    /// Something was read of the primary, or written there, that readers have to see, and nobody knows where it stands in the
    /// log: the next transaction reads at the primary and asks.
    func doubt() { state.withLock { $0.doubts += 1 } }

    /// The doubts that a question to the primary settles.
    var openDoubts: Int? { state.withLock { $0.settled == $0.doubts ? nil : $0.doubts } }

    func settle(_ doubts: Int, at place: UInt64) {
      state.withLock { state in
        state.needed = max(state.needed, place)
        state.settled = max(state.settled, doubts)
      }
    }

    /// It does not answer, or answers with errors: the log says which, since nobody else is told.
    func letRest(after error: any Error) {
      state.withLock { $0.restsUntil = .now + Self.rest }
      FrameworkLog.write("warning: The replica is not used for \(Self.rest): \(error)")
    }

    // MARK: Statements

    /// Up to where the primary's log is written.
    static let written = ServerStatement(
      "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint", isWork: false)

    /// Whether a replica has replayed that much, and the version of the store's schema there.
    ///
    /// Asked before the transaction begins: a snapshot that is taken later sees what was replayed.
    static let isRecent = ServerStatement(
      """
      SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint >= $1 AND pg_is_in_recovery(), \
      (SELECT version FROM "_store")
      """, types: [ServerType.int64], isWork: false)
  }

  extension ServerStore {
    /// Begins a transaction on a replica with what is read in it.
    /// - Returns: whether it did; false where the replica does not have yet what it must.
    func beginRead(
      onReplica connection: ServerConnection, seeing needed: UInt64, _ watch: FetchWatch?,
      _ prepare: (inout ReadFlight) throws -> Void
    ) throws -> Bool {
      let end = ContinuousClock.now + ReadReplica.patience
      while true {
        var isRecent = false
        var read = ReadFlight(), flight = Flight(), values = ServerValues()
        try prepare(&read)
        values.append(Int64(bitPattern: needed))
        if connection.transactionStatus != .idle { flight.add(Self.endReading) }
        flight.add(ReadReplica.isRecent, values) { [self] result in
          // Of another version: the primary decides.
          isRecent = result.bool(0, 0) && !result.isNull(0, 1) && result.int64(0, 1) == openedSchemaVersion
        }
        flight.sync()
        flight.add(Self.beginReading)
        for part in read.parts {
          flight.add(part.statement, part.values, streams: part.streams) { result in
            if isRecent { try part.onResult(result, 0) }
          }
        }
        try run(flight, on: connection, watch)
        if isRecent { return true }
        if ContinuousClock.now >= end { return false }
        usleep(1_000)
      }
    }
  }
#endif
