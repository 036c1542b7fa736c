#if PostgreSQL
  import Foundation

  /// The open connections that no object uses, up to a limit. Threads that want a connection wait in order, up to a deadline.
  ///
  /// A holder may keep its connection while it does not use it, for instance with an open transaction. The pool asks the
  /// holder to hand the connection over when a thread waits for one, and otherwise after a second without use, because open
  /// transactions keep the server from cleaning up. `ConnectionPoolPolicy` makes the decisions; this class opens connections,
  /// waits, and asks holders.
  final class ConnectionPool: @unchecked Sendable {  // everything belongs to `condition`
    /// A thread that waits asks the holders that have not used their connections for this time.
    static let shortRest = Duration.milliseconds(10)

    private let condition = NSCondition()
    private let open: @Sendable () throws -> ServerConnection
    private var policy: ConnectionPoolPolicy<ServerConnection>
    /// The holders that can be asked to hand over their connections.
    private var holdings: [ObjectIdentifier: @Sendable () -> (any ConnectionHolder)?] = [:]
    let reaper = ConnectionReaper()
    /// Called when connections turn out to be lost, whether in use or not, and before others take their places: the server
    /// may have crashed, or another server may have taken its place. Set once, before the pool is used.
    var onLoss: (@Sendable () -> Void)?

    init(limit: Int, open: @escaping @Sendable () throws -> ServerConnection) {
      self.open = open
      policy = ConnectionPoolPolicy(limit: limit)
      reaper.pool = self
    }

    deinit { close() }

    /// The number of connections that are open or being opened.
    var openCount: Int { condition.withLock { policy.openCount } }

    /// The number of threads that wait for a connection.
    var waitingCount: Int { condition.withLock { policy.waiting.count } }

    /// Returns a connection without a transaction. `give` takes the connection back, even if it cannot be used any more.
    /// - Parameter holder: the object that can be asked to hand the connection over; nil if the connection is used all the
    ///   time.
    /// - Throws: `PoolTimeout`, `PoolClosed`, or the error of opening a connection.
    func take(
      for holder: (any ConnectionHolder)? = nil, deadline limit: @autoclosure () -> ContinuousClock.Instant
    ) throws -> ServerConnection {
      if let idle = condition.withLock({ policy.takeIdle() }) { return try connection(of: .idle(idle), for: holder) }
      let deadline = limit()
      let ticket = condition.withLock { policy.take() }
      while true {
        let grant = condition.withLock { policy.collect(ticket) }
        if let grant { return try connection(of: grant, for: holder) }
        // The thread that has waited longest gets a connection that is handed over, and that may be another thread than this
        // one.
        if takeBack(unusedFor: Self.shortRest, except: holder, mostly: 1) > 0 { continue }
        try condition.withLock {
          guard policy.waiting.contains(ticket) else { return }
          if ContinuousClock.now >= deadline {
            policy.giveUp(ticket)
            throw PoolTimeout(limit: policy.limit)
          }
          _ = condition.wait(until: Date(timeIntervalSinceNow: min(0.005, Self.seconds(to: deadline))))
        }
      }
    }

    /// Takes a connection back. A connection that is lost is closed, and another one may be opened.
    ///
    /// A transaction may still be open. The next user of the connection ends it without an extra round trip; if there is
    /// none, the reaper ends it.
    func give(_ connection: ServerConnection) {
      let status = connection.transactionStatus
      let isUsable = status != .active && status != .unknown
      if !isUsable { onLoss?() }
      if isUsable, status != .idle { reaper.wake() }
      let fate = condition.withLock {
        if !holdings.isEmpty { holdings[ObjectIdentifier(connection)] = nil }
        defer { condition.broadcast() }
        return policy.give(connection, isUsable: isUsable)
      }
      if fate == .dropped { connection.close() }
    }

    /// Closes the connections that are in the pool now, and each other one when it comes back.
    func close() {
      let dropped = condition.withLock {
        defer { condition.broadcast() }
        return policy.close()
      }
      for connection in dropped { connection.close() }
      reaper.stop()
    }

    /// Asks holders to hand over the connections that they have not used for that time.
    /// - Returns: the number of connections that were handed over, at most `most`.
    @discardableResult
    func takeBack(
      unusedFor time: Duration, except holder: (any ConnectionHolder)? = nil, mostly most: Int = .max
    ) -> Int {
      // Holders are asked without the pool's lock: a holder has a lock of its own, and may hold it while it gives its
      // connection back.
      let holders = condition.withLock { holdings.values.compactMap { $0() } }
      var count = 0
      for other in holders where other !== holder && count < most {
        guard let connection = other.surrender(ifUnusedFor: time) else { continue }
        give(connection)
        count += 1
      }
      return count
    }

    /// Ends the transactions of connections that no object holds.
    func endTransactions() {
      let resting = condition.withLock { policy.borrowIdle { $0.transactionStatus != .idle } }
      for connection in resting {
        var flight = Flight()
        flight.add(ServerStatement("COMMIT", isPrepared: false))
        try? connection.run(flight, deadline: .now + .seconds(5))
        give(connection)
      }
    }

    /// Whether there is a holder that can be asked, or a transaction that has to be ended.
    var needsReaping: Bool {
      condition.withLock { !holdings.isEmpty || policy.idle.contains { $0.transactionStatus != .idle } }
    }

    private func connection(
      of grant: ConnectionPoolPolicy<ServerConnection>.Grant, for holder: (any ConnectionHolder)?
    ) throws -> ServerConnection {
      let connection: ServerConnection
      switch grant {
      case .closed: throw PoolClosed()
      case .idle(let idle) where idle.isUsable && !idle.isClosedByServer: connection = idle
      case .idle(let idle):
        // The server has closed the connection while it was in the pool. A new connection takes its place.
        idle.close()
        onLoss?()
        connection = try openCounted()
      case .new:
        let hasLost = condition.withLock { policy.idle.contains { !$0.isUsable || $0.isClosedByServer } }
        if hasLost { onLoss?() }
        connection = try openCounted()
      }
      if let holder {
        condition.withLock { holdings[ObjectIdentifier(connection)] = holder.weakly }
        reaper.wake()
      }
      return connection
    }

    private func openCounted() throws -> ServerConnection {
      do { return try open() } catch {
        condition.withLock {
          policy.failedToOpen()
          condition.broadcast()
        }
        throw error
      }
    }

    private static func seconds(to instant: ContinuousClock.Instant) -> Double {
      let (seconds, attoseconds) = (instant - .now).components
      return max(0, Double(seconds) + Double(attoseconds) * 1e-18)
    }
  }
#endif
