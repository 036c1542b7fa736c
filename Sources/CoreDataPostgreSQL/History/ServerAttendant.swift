#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A thread that does the store's work for which contexts need not wait: it announces saves, and cleans up once a minute.
  ///
  /// The thread does not keep the store alive. A read-only store has no such thread.
  final class ServerAttendant: @unchecked Sendable {  // everything belongs to `condition`
    /// The number of this process in its announcements.
    static let process = UUID()
    /// The shortest time between two announcements.
    private static let pause = 0.2
    private static let longestPause = 30.0

    private enum Duty { case announcement, upkeep }

    /// The number by which the table `_reader` distinguishes this store from other stores that have caches.
    let reader = UUID()
    private let condition = NSCondition()
    @WeaklyReferring private var store: ServerStore?
    private var isStarted = false
    private var isStopped = false
    private var hasNews = false
    private var nextAnnouncement = Date.distantPast
    private var nextUpkeep = Date.distantFuture
    /// The time until a failed announcement is tried again.
    private var patience = ServerAttendant.pause

    func begin(_ store: ServerStore) {
      if store.isReadOnly { return }
      condition.withLock {
        _store = WeaklyReferring(store)
        nextUpkeep = Date(timeIntervalSinceNow: Upkeep.period)
        startIfNeeded()
      }
    }

    /// Notes that a context has saved.
    func announce() {
      condition.withLock {
        // The thread knows already that there is something to announce, and need not be woken.
        if hasNews { return }
        hasNews = true
        condition.signal()
      }
    }

    /// Ends the thread, without waiting for it.
    /// - Returns: whether there is something left to announce.
    func stop() -> Bool {
      condition.withLock {
        defer { hasNews = false }
        isStopped = true
        condition.signal()
        return hasNews
      }
    }

    private func startIfNeeded() {
      guard !isStarted, !isStopped else { return }
      isStarted = true
      let thread = Thread { self.run() }
      thread.name = "store attendant"
      thread.start()
    }

    private func run() {
      while let duty = nextDuty() {
        guard let store = condition.withLock({ store }) else { return }
        switch duty {
        case .announcement: announced((try? store.announce(deadline: .now + .seconds(10))) != nil)
        // After a failure the work is done the next time. Until then the server keeps more rows than it needs.
        case .upkeep: _ = try? store.tidy()
        }
      }
    }

    /// Waits for the next work; returns nil when the thread is to end.
    private func nextDuty() -> Duty? {
      condition.withLock {
        while !isStopped {
          let now = Date()
          if hasNews, now >= nextAnnouncement {
            // Set to false before the announcement is sent: a save in the meantime sets it again, and is announced, too.
            hasNews = false
            return .announcement
          }
          if now >= nextUpkeep {
            nextUpkeep = Date(timeInterval: Upkeep.period, since: now)
            return .upkeep
          }
          _ = condition.wait(until: hasNews ? min(nextAnnouncement, nextUpkeep) : nextUpkeep)
        }
        return nil
      }
    }

    private func announced(_ isSent: Bool) {
      condition.withLock {
        patience = isSent ? Self.pause : min(2 * patience, Self.longestPause)
        if !isSent { hasNews = true }
        nextAnnouncement = Date(timeIntervalSinceNow: patience)
      }
    }
  }
#endif
