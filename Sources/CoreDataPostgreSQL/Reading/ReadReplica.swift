#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A standby of the server from which contexts read, if it has what this store's saves have written.
  ///
  /// A save notes the position up to which the primary's log was written. A transaction begins on the replica if the replica
  /// has replayed the log up to there; otherwise it waits for a moment, and then goes to the primary. Rows of the replica
  /// never come into the row cache, which holds rows of the primary's states: each transaction on the replica has a cache of
  /// its own.
  final class ReadReplica: Sendable {
    /// The time for which a transaction waits for the replica to replay the log.
    static let patience = Duration.milliseconds(20)
    /// The time for which the replica is not tried again after it did not answer.
    private static let rest = Duration.seconds(2)

    private struct State {
      /// The position in the primary's log that a reader has to see, in bytes.
      var needed: UInt64 = 0
      /// Counts events on the primary whose position in the log is not known.
      var doubts = 1
      /// The number of these events that `needed` covers.
      var settled = 0
      var restsUntil: ContinuousClock.Instant?
      /// Whether the log has reported that the replica fails. That is reported once until the replica answers again.
      var isToldToFail = false
    }

    let pool: ConnectionPool
    private let place: String
    private let state = Mutex(State())

    init(_ place: ServerPlace, limit: Int, observer: any FlightObserver) {
      self.place = place.display
      pool = ConnectionPool(limit: limit) {
        // The deadline is short, because the primary can be read instead.
        let connection = try ServerConnection(place, deadline: .now + .seconds(1))
        connection.observer = observer
        return connection
      }
    }

    /// The position that a transaction has to see if it begins now; nil if it has to go to the primary.
    var needed: UInt64? {
      state.withLock { state in
        if let rest = state.restsUntil, ContinuousClock.now < rest { return nil }
        return state.settled == state.doubts ? state.needed : nil
      }
    }

    /// Notes a save that has committed, and the position of the log afterwards.
    func note(written place: UInt64) { state.withLock { $0.needed = max($0.needed, place) } }

    /// Notes a read or a write on the primary whose position in the log is not known, although readers have to see its state.
    /// The next transaction reads from the primary and asks for the position.
    func doubt() { state.withLock { $0.doubts += 1 } }

    /// The number of events that a question to the primary covers; nil if all are covered.
    var openDoubts: Int? { state.withLock { $0.settled == $0.doubts ? nil : $0.doubts } }

    func settle(_ doubts: Int, at place: UInt64) {
      state.withLock { state in
        state.needed = max(state.needed, place)
        state.settled = max(state.settled, doubts)
      }
    }

    /// Notes that a transaction was begun on the replica.
    func noteSuccess() { state.withLock { $0.isToldToFail = false } }

    /// Notes that a transaction could not be begun on the replica, or was ended there. The replica is not tried again for
    /// some time, except in two cases: if it has not replayed yet the log of the making or migration of the store, and if all
    /// its connections are in use.
    ///
    /// Since the primary is read instead, only the log reports the failure.
    /// - Returns: whether to log this failure: only the first one since the replica has answered is logged.
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

    /// The position up to which the primary's log is written.
    static let written = ServerStatement(
      "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint", isWork: false)

    /// Whether a replica has replayed the log up to a position, and the version of the store's schema there.
    ///
    /// It is asked before the transaction begins, since a snapshot that is taken later sees everything that was replayed.
    static let isRecent = ServerStatement(
      """
      SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint >= $1 AND pg_is_in_recovery(), \
      (SELECT version FROM "_store")
      """, types: [ServerType.int64], isWork: false)
  }

  extension ServerStore {
    /// Begins a transaction on a replica, together with the first statements that are read in it.
    /// - Returns: false if the replica has not replayed the log far enough.
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
          // If the schema has another version there, the transaction goes to the primary.
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
