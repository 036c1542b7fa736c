#if PostgreSQL
  import Foundation

  /// Connections that are open and free, at most so many; takers wait in order up to a deadline.
  ///
  /// A holder may keep its connection while it does not use it, with an open transaction, say. When somebody waits it is
  /// asked to hand it over, and after a second without use anyway: open transactions keep the server from cleaning up. What
  /// is decided is in `ConnectionPoolPolicy`; this class opens, waits and asks.
  final class ConnectionPool: @unchecked Sendable {  // everything belongs to `condition`
    /// A taker who waits asks holders that have not used theirs for so long.
    static let shortRest = Duration.milliseconds(10)

    private let condition = NSCondition()
    private let open: @Sendable () throws -> ServerConnection
    private var policy: ConnectionPoolPolicy<ServerConnection>
    /// Who has which connection, as far as it can be asked.
    private var holdings: [ObjectIdentifier: @Sendable () -> (any ConnectionHolder)?] = [:]
    private let reaper = ConnectionReaper()
    /// Called where connections turn out to be gone, used or not, before others take their places: the server may have crashed,
    /// or be another one. Set once, before the pool is used.
    var onLoss: (@Sendable () -> Void)?

    init(limit: Int, open: @escaping @Sendable () throws -> ServerConnection) {
      self.open = open
      policy = ConnectionPoolPolicy(limit: limit)
      reaper.pool = self
    }

    deinit { close() }

    /// How many connections are open or being opened.
    var openCount: Int { condition.withLock { policy.openCount } }

    /// A connection without a transaction, which `give` takes back, also when it is of no use any more.
    /// - Parameter holder: who can be asked to hand it over; nil if it is used all the time.
    /// - Throws: `PoolTimeout`, `PoolClosed`, or what opening one throws.
    func take(
      for holder: (any ConnectionHolder)? = nil, deadline limit: @autoclosure () -> ContinuousClock.Instant
    ) throws -> ServerConnection {
      if let idle = condition.withLock({ policy.takeIdle() }) { return try connection(of: .idle(idle), for: holder) }
      let deadline = limit()
      let ticket = condition.withLock { policy.take() }
      while true {
        let grant = condition.withLock { policy.collect(ticket) }
        if let grant { return try connection(of: grant, for: holder) }
        // Who waits longest gets what a holder hands over, which may be somebody else.
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

    /// Takes a connection back. One that is lost is closed, and another may be opened.
    ///
    /// A transaction may still be open: whoever takes the connection next ends it, which costs no round trip, or else the
    /// reaper does.
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

    /// Closes the connections that are here, and the others as they come back.
    func close() {
      let dropped = condition.withLock {
        defer { condition.broadcast() }
        return policy.close()
      }
      for connection in dropped { connection.close() }
      reaper.stop()
    }

    /// Asks holders to hand over what they have not used for so long.
    /// - Returns: how many have; not more than `most`.
    @discardableResult
    func takeBack(
      unusedFor time: Duration, except holder: (any ConnectionHolder)? = nil, mostly most: Int = .max
    ) -> Int {
      // Asked outside the lock: a holder has one of its own, under which it may be giving its connection back.
      let holders = condition.withLock { holdings.values.compactMap { $0() } }
      var count = 0
      for other in holders where other !== holder && count < most {
        guard let connection = other.surrender(ifUnusedFor: time) else { continue }
        give(connection)
        count += 1
      }
      return count
    }

    /// Ends the transactions of connections that nobody has.
    func endTransactions() {
      let resting = condition.withLock { policy.borrowIdle { $0.transactionStatus != .idle } }
      for connection in resting {
        var flight = Flight()
        flight.add(ServerStatement("COMMIT", isPrepared: false))
        try? connection.run(flight, deadline: .now + .seconds(5))
        give(connection)
      }
    }

    /// Whether there is anybody to be asked, or a transaction to be ended.
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
        // The server has closed it while it was here; its place is taken by a new one.
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
