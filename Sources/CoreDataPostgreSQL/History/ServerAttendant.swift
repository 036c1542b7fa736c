#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A thread that does for a store what its contexts do not wait for: it announces saves, and tidies once a minute.
  ///
  /// It does not keep the store alive. A store for reading only has none.
  final class ServerAttendant: @unchecked Sendable {  // everything belongs to `condition`
    /// This process, in what it announces.
    static let process = UUID()
    /// Announcements are not closer to each other.
    private static let pause = 0.2
    private static let longestPause = 30.0

    private enum Duty { case announcement, upkeep }

    /// Who the store is among those that have caches.
    let reader = UUID()
    private let condition = NSCondition()
    @WeaklyReferring private var store: ServerStore?
    private var isStarted = false
    private var isStopped = false
    private var hasNews = false
    private var nextAnnouncement = Date.distantPast
    private var nextUpkeep = Date.distantFuture
    /// What an announcement that has failed waits for the next try.
    private var patience = ServerAttendant.pause

    func begin(_ store: ServerStore) {
      if store.isReadOnly { return }
      condition.withLock {
        _store = WeaklyReferring(store)
        nextUpkeep = Date(timeIntervalSinceNow: Upkeep.period)
        startIfNeeded()
      }
    }

    /// Somebody has saved.
    func announce() {
      condition.withLock {
        // The thread knows of the news before this, and would wake up for nothing.
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
        // What fails now is done the next time; until then the server keeps more than it needs.
        case .upkeep: _ = try? store.tidy()
        }
      }
    }

    /// Waits for what is to be done next; nil when it is over.
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
