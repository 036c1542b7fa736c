#if PostgreSQL
  import Foundation

  /// A thread that takes connections back from holders that do not use them; the thread sleeps while there is nothing
  /// to take back.
  final class ConnectionReaper: @unchecked Sendable {  // everything but `pool` belongs to `condition`
    /// Holders that have not used their connection for this time are asked to hand it over.
    static let longRest = Duration.seconds(1)
    private static let pause = 0.25

    private let condition = NSCondition()
    private var isStarted = false
    private var isAwake = false
    private var isStopped = false
    /// Set once, before anything else happens.
    weak var pool: ConnectionPool?

    /// Notes that there is something to do: a connection has a holder, or an open transaction.
    func wake() {
      condition.withLock {
        guard !isStopped, !isAwake else { return }
        isAwake = true
        if isStarted { return condition.signal() }
        isStarted = true
        let thread = Thread { self.run() }
        thread.name = "connection reaper"
        thread.start()
      }
    }

    func stop() {
      condition.withLock {
        isStopped = true
        condition.signal()
      }
    }

    private func run() {
      while sleep() { reap() }
    }

    /// Waits for a wake-up, and then for a pause.
    /// - Returns: false if the reaper is stopped.
    private func sleep() -> Bool {
      condition.withLock {
        while !isAwake, !isStopped { condition.wait() }
        let end = Date(timeIntervalSinceNow: Self.pause)
        while !isStopped, condition.wait(until: end) {}
        // Reset before the reaper looks at the pool: a wake-up that comes in between sets it again.
        isAwake = false
        return !isStopped
      }
    }

    private func reap() {
      guard let pool else { return }
      pool.takeBack(unusedFor: Self.longRest)
      pool.endTransactions()
      if pool.needsReaping { wake() }
    }
  }
#endif
