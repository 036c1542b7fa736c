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
      /// Whether the log says already that it fails; it says so once until the replica answers again.
      var isToldToFail = false
    }

    let pool: ConnectionPool
    private let place: String
    private let state = Mutex(State())

    init(_ place: ServerPlace, limit: Int, observer: any FlightObserver) {
      self.place = place.display
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

    /// A transaction was begun there.
    func noteSuccess() { state.withLock { $0.isToldToFail = false } }

    /// A transaction could not be begun there, or was ended: nobody tries again for some time. One that has not replayed yet what
    /// made the store, or migrated it, lags, and needs no rest; nor does one whose connections are all in use.
    ///
    /// The primary is read instead, so that only the log tells of it.
    /// - Returns: whether the log tells of this one: of the first since the replica has answered.
    @discardableResult func note(failure error: any Error) -> Bool {
      if error is PoolTimeout { return false }
      let lags = (error as? CocoaError)?.code == .persistentStoreIncompatibleSchema
      let isToldAlready = state.withLock { state in
        if !lags { state.restsUntil = .now + Self.rest }
        defer { state.isToldToFail = true }
        return state.isToldToFail
      }
      if isToldAlready { return false }
      let reason = (error as? ServerError)?.description ?? (error as NSError).localizedDescription
      FrameworkLog.write("warning: The replica at \(place) cannot be read, and the primary is read instead: \(reason)")
      return true
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
