#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A thread that checks whether other programs have saved to a store, and notifies the store's coordinator. Contexts
  /// that merge automatically get the changes that other programs have saved.
  ///
  /// Snapshots decide which changes are new; the server's notifications only say when to check. So no change is lost: a
  /// change that was saved while there was no connection is found when there is one again. The thread does not keep the
  /// store alive.
  final class RemoteChangeListener: @unchecked Sendable {  // `told` is the thread's, the rest is set before it runs
    /// Seconds between two checks without notifications, and with notifications. With notifications the checks are
    /// still needed, because a program may end before it announces its last save.
    private static let shortRest = 2.0, longRest = 10.0
    private static let longestPause = 30.0

    private let open: @Sendable () throws -> ServerConnection
    private let place: ServerPlace
    private let options: ServerOptions
    private let socket = WakingSocket()
    private let isStopped = Atomic<Bool>(false)
    @WeaklyReferring private var store: ServerStore?
    /// The snapshot up to which changes were reported, or that of the store's opening.
    private var told: TransactionSnapshot
    /// A time at which `told` was still current.
    private var toldAt = ContinuousClock.now

    /// - Parameters:
    ///   - open: opens the listener's connection.
    ///   - snapshot: the server's snapshot when the store was opened.
    init(
      _ place: ServerPlace, _ options: ServerOptions, _ snapshot: TransactionSnapshot,
      open: @escaping @Sendable () throws -> ServerConnection
    ) {
      (self.place, self.options, told, self.open) = (place, options, snapshot, open)
    }

    /// Starts the thread. Called once.
    func begin(_ store: ServerStore) {
      _store = WeaklyReferring(store)
      let thread = Thread { self.run() }
      thread.name = "NSPersistentStoreRemoteChange"
      thread.start()
    }

    /// Stops the thread without waiting for it, because an observer may have called this method on that thread.
    func stop() {
      isStopped.store(true, ordering: .releasing)
      socket.wake()
    }

    private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

    private func run() {
      var pause = 0.1
      while goesOn {
        // Without a server there is nothing to report; attempts to connect become less frequent.
        try? listen { pause = 0.1 }
        if goesOn { socket.wait(seconds: pause * .random(in: 0.5...1)) }
        pause = min(2 * pause, Self.longestPause)
      }
    }

    /// Checks for changes repeatedly, until the connection is lost or the listener is stopped.
    private func listen(connected: () -> Void) throws {
      let connection = try open()
      defer { connection.close() }
      let isListening = try listens(connection)
      connected()
      while goesOn {
        _ = try connection.notifications()
        try look(connection)
        // Notifications may have arrived together with the answer.
        if isListening, try !connection.notifications().isEmpty { continue }
        if goesOn {
          socket.wait(
            for: isListening ? connection.socketDescriptor : -1,
            seconds: isListening ? Self.longRest : Self.shortRest)
        }
      }
    }

    /// Asks the server for notifications. Returns false if there are none: behind a pooler, or on a standby.
    private func listens(_ connection: ServerConnection) throws -> Bool {
      if options.usesPooler { return false }
      var flight = Flight()
      let channel = PostgreSQLDialect().quoted(ServerStore.channel(place))
      flight.add(ServerStatement("LISTEN \(channel)", isPrepared: false, isWork: false))
      do {
        try connection.run(flight)
        return true
      } catch let error as ServerError where !error.isConnectionLost && connection.isUsable {
        return false
      }
    }

    // MARK: Looking

    /// Returns the question whether there are new commits. If history is tracked, only commits of history count;
    /// otherwise all commits except those that saves in doubt have left.
    private static func question(tracked: Bool) -> ServerStatement {
      ServerStatement(
        """
        SELECT pg_current_snapshot()::text, EXISTS (SELECT FROM "_commit" WHERE xid >= pg_snapshot_xmin($1) \
        AND NOT pg_visible_in_snapshot(xid, $1) AND \(tracked ? "process IS NOT NULL" : "at <> 0"))
        """, types: [ServerType.snapshot], isWork: false)
    }

    private static let ofTracked = question(tracked: true), ofAll = question(tracked: false)

    private func look(_ connection: ServerConnection) throws {
      let now = ContinuousClock.now
      var values = ServerValues()
      values.append(snapshot: told)
      var seen: TransactionSnapshot?, isNew = false
      var flight = Flight()
      flight.add(options.tracksHistory ? Self.ofTracked : Self.ofAll, values) { result in
        seen = TransactionSnapshot(result.string(0, 0))
        isNew = result.bool(0, 1)
      }
      try connection.run(flight)
      guard let seen else { return }
      // On a server that lacks the last commits, all changes may be new.
      isNew = isNew || !seen.includes(told)
      let changes = try changes(until: seen, connection)
      (told, toldAt) = (seen, now)
      if isNew { post(seen) }
      if let changes, goesOn { store?.coordinator?.mergeLater(changes) }
    }

    /// Returns the changes of other programs, if a context merges them.
    private func changes(until seen: TransactionSnapshot, _ connection: ServerConnection) throws -> SavedChanges? {
      guard seen != told, let store, store.coordinator?.hasMergingContexts == true else { return nil }
      // The server keeps changes for a limited time, and a server that lacks the last commits cannot report the
      // changes.
      let isTold = seen.includes(told) && ContinuousClock.now - toldAt < Upkeep.trust
      return isTold ? try RemoteChanges.read(from: told, to: seen, in: store, connection) : RemoteChanges.everything
    }

    /// Posts the notification. No lock is held while observers run.
    private func post(_ snapshot: TransactionSnapshot) {
      guard goesOn, let store, let coordinator = store.coordinator, let identifier = store.identifier else { return }
      var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
      userInfo[NSPersistentStoreURLKey] = store.url
      if options.tracksHistory {
        let place = HistoryPlace.snapshot(snapshot, server: store.identity.system)
        userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken([identifier: place])
      }
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
  }
#endif
