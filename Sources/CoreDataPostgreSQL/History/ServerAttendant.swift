#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A thread that does work for a store for which contexts do not wait: it announces saves, and does the upkeep once a
  /// minute.
  ///
  /// The thread does not keep the store alive. A store that is read-only has no such thread.
  final class ServerAttendant: @unchecked Sendable {  // everything belongs to `condition`
    /// The identifier of this process in its announcements.
    static let process = UUID()
    /// Seconds between two announcements at least.
    private static let pause = 0.2
    private static let longestPause = 30.0

    private enum Duty { case announcement, upkeep }

    /// The identifier of the store in the table of readers with caches.
    let reader = UUID()
    private let condition = NSCondition()
    @WeaklyReferring private var store: ServerStore?
    private var isStarted = false
    private var isStopped = false
    private var hasNews = false
    private var nextAnnouncement = Date.distantPast
    private var nextUpkeep = Date.distantFuture
    /// Seconds to wait after an announcement; the delay grows while announcements fail.
    private var patience = ServerAttendant.pause

    func begin(_ store: ServerStore) {
      if store.isReadOnly { return }
      condition.withLock {
        _store = WeaklyReferring(store)
        nextUpkeep = Date(timeIntervalSinceNow: Upkeep.period)
        startIfNeeded()
      }
    }

    /// Notes that a save is to be announced.
    func announce() {
      condition.withLock {
        // The thread knows already that there are saves to announce; a signal would wake it for nothing.
        if hasNews { return }
        hasNews = true
        condition.signal()
      }
    }

    /// Stops the thread without waiting for it.
    /// - Returns: whether there is a save left to announce.
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
        // Work that fails now is done the next time; until then the server keeps more rows than needed.
        case .upkeep: _ = try? store.tidy()
        }
      }
    }

    /// Waits for the next duty; returns nil if the thread is stopped.
    private func nextDuty() -> Duty? {
      condition.withLock {
        while !isStopped {
          let now = Date()
          if hasNews, now >= nextAnnouncement {
            // Reset before the announcement is sent, so that a save in between sets it again and is announced, too.
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
