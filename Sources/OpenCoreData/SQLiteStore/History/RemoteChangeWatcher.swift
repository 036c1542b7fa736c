import Foundation

/// Looks for commits to a file, and tells the coordinators that have it open.
///
/// `PRAGMA data_version` on a connection of the watcher's own tells whether there was a commit. Events of the file system,
/// and this process's own commits, only tell when to look.
final class RemoteChangeWatcher: @unchecked Sendable {  // everything belongs to `lock`, the timer to `queue`
  /// A store that has the file open, and the coordinator to tell.
  struct Listener: @unchecked Sendable {  // the references are set once
    @WeaklyReferring fileprivate var store: SQLiteStore?
    fileprivate weak var coordinator: NSPersistentStoreCoordinator?
    fileprivate let isTracked: Bool

    init(_ store: SQLiteStore, _ coordinator: NSPersistentStoreCoordinator) {
      _store = WeaklyReferring(store)
      self.coordinator = coordinator
      isTracked = (try? HistoryOptions(store.options))?.isTracked ?? false
    }
  }

  private let path: String
  private let events: FileEvents?
  private let lock = NSLock()
  private var listeners: [ObjectIdentifier: Listener] = [:]
  private var connection: SQLiteConnection?
  private var version: Int64?
  private var transaction: Int64 = 0
  private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange")
  private var watch: FileEvents.Watch?
  /// Whether no events tell of others' commits, so that the file is looked at every few seconds.
  private var isPolled = false

  // A commit becomes visible a moment after its last write to a file, and only that write causes an event. So the watcher
  // looks again and again after an event, at longer and longer intervals (in milliseconds).
  private static let delays = [2, 10, 50, 250, 1000, 3000]
  private var attempt: Int?
  private var generation = 0

  /// - Parameter events: nil if the system reports no events; then the file is looked at every few seconds.
  init(path: String, events: FileEvents? = .shared) {
    self.path = path
    self.events = events
  }

  func add(_ listener: Listener, id: ObjectIdentifier) {
    lock.lock()
    defer { lock.unlock() }
    listeners[id] = listener
    guard connection == nil else { return }
    // The file was opened a moment ago, so an error is unlikely. Without a connection, no commits are announced.
    connection = try? SQLiteConnection(path: path, readOnly: true, create: false, timeout: 1, pragmas: [])
    version = try? connection?.integer("PRAGMA data_version")
    transaction = connection.flatMap { try? HistoryTables.latestTransaction($0) } ?? 0
    let file = URL(fileURLWithPath: path)
    let names: Set<String> = [
      file.lastPathComponent, file.lastPathComponent + "-wal", file.lastPathComponent + "-journal",
    ]
    watch = events?.watch(folder: file.deletingLastPathComponent().path, names) { [weak self] in
      self?.fileChanged()
    }
    isPolled = watch == nil
    if isPolled { fileChanged() }
  }

  /// Removes a listener. If it was the last one, closes the connection and returns true.
  func remove(_ id: ObjectIdentifier) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard listeners.removeValue(forKey: id) != nil, listeners.isEmpty else { return false }
    connection = nil
    if let watch { events?.stop(watch) }
    watch = nil
    isPolled = false
    return true
  }

  /// Whether the store with this identity is told of commits.
  func tells(_ id: ObjectIdentifier) -> Bool { lock.withLock { listeners[id] != nil } }

  /// Looks at the file soon, because this process has committed. Does not wait for that.
  func check() {
    queue.async { [weak self] in self?.look() }
  }

  private func fileChanged() {
    queue.async { [weak self] in
      guard let self, attempt != 0 else { return }
      attempt = 0
      setTimer()
    }
  }

  private func setTimer() {
    generation += 1
    let (expected, delay) = (generation, Self.delays[attempt ?? 0])
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self, generation == expected else { return }
      let next = (attempt ?? 0) + 1
      attempt = next < Self.delays.count ? next : lock.withLock({ isPolled }) ? Self.delays.count - 1 : nil
      if attempt != nil { setTimer() }
      look()
    }
  }

  /// Posts a notification to each listener if somebody has committed. No lock is held while observers run.
  private func look() {
    for (listener, transaction) in news() {
      // Strong references are made here and not under the lock: if they are the last ones, their release stops the watching.
      guard let coordinator = listener.coordinator, let store = listener.store, let identifier = store.identifier else {
        continue
      }
      var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
      userInfo[NSPersistentStoreURLKey] = store.url
      userInfo[NSPersistentHistoryTokenKey] = transaction.map { NSPersistentHistoryToken([identifier: $0]) }
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
  }

  /// Returns the listeners to tell, each with the number of the transaction to tell it of. A listener that tracks history is
  /// only told of transactions, and not of commits that left the data as they were, such as a purge.
  private func news() -> [(Listener, Int64?)] {
    lock.lock()
    defer { lock.unlock() }
    guard let connection, let current = try? connection.integer("PRAGMA data_version"), current != version else {
      return []
    }
    version = current
    let latest = (try? HistoryTables.latestTransaction(connection)) ?? transaction
    defer { transaction = latest }
    return listeners.values.compactMap { listener in
      guard listener.isTracked else { return (listener, nil) }
      return latest == transaction ? nil : (listener, latest)
    }
  }
}
