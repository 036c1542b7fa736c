#if PostgreSQL
  import Foundation

  /// A thread that takes connections back from holders that do not use them. It sleeps while no object holds a connection.
  final class ConnectionReaper: @unchecked Sendable {  // everything belongs to `condition`, but for `pool`
    /// The time for which a holder has not used its connection before the holder is asked to hand it over.
    static let longRest = Duration.seconds(1)
    private static let pause = 0.25

    private let condition = NSCondition()
    private var isStarted = false
    private var isAwake = false
    private var isStopped = false
    /// Set once, before any other call.
    weak var pool: ConnectionPool?

    /// Notes that an object holds a connection.
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

    /// Waits a moment, or until an object holds a connection.
    /// - Returns: false if the thread is to end.
    private func sleep() -> Bool {
      condition.withLock {
        while !isAwake, !isStopped { condition.wait() }
        let end = Date(timeIntervalSinceNow: Self.pause)
        while !isStopped, condition.wait(until: end) {}
        // Set before the holders are looked at: an object that takes a connection in the meantime sets it to true again.
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
