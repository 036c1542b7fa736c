import Foundation

/// Looks whether a file was committed to, and tells the coordinators that have it open.
///
/// `PRAGMA data_version` on a connection of its own is what decides; events of the file system and this process's own
/// commits only say when to look.
final class RemoteChangeWatcher: @unchecked Sendable {  // everything belongs to `lock`, the timer to `queue`
  /// A coordinator that has the file open.
  struct Listener: @unchecked Sendable {  // the reference is set once
    weak var coordinator: NSPersistentStoreCoordinator?
    let storeID: String
    let url: URL
    let isTracked: Bool
  }

  private let path: String
  private let lock = NSLock()
  private var listeners: [ObjectIdentifier: Listener] = [:]
  private var connection: SQLiteConnection?
  private var version: Int64?
  private var transaction: Int64 = 0
  private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange")
  private var watch: FileEvents.Watch?

  // A commit becomes visible a moment after its last write to a file, the only one that gives an event. So the file is
  // looked at again and again after an event, less and less often.
  private static let delays = [2, 10, 50, 250, 1000, 3000]
  private var attempt: Int?
  private var generation = 0

  init(path: String) { self.path = path }

  func add(_ listener: Listener, id: ObjectIdentifier) {
    lock.lock()
    defer { lock.unlock() }
    listeners[id] = listener
    guard connection == nil else { return }
    // A file that cannot be opened now was opened a moment ago; without a connection nothing is announced.
    connection = try? SQLiteConnection(path: path, readOnly: true, create: false, timeout: 1, pragmas: [])
    version = try? connection?.integer("PRAGMA data_version")
    transaction = connection.flatMap { try? HistoryTables.latestTransaction($0) } ?? 0
    let file = URL(fileURLWithPath: path)
    let names: Set<String> = [
      file.lastPathComponent, file.lastPathComponent + "-wal", file.lastPathComponent + "-journal",
    ]
    watch = FileEvents.shared?.watch(folder: file.deletingLastPathComponent().path, names) { [weak self] in
      self?.fileChanged()
    }
    // Where the system reports nothing the file is looked at once a second.
    if watch == nil { fileChanged() }
  }

  /// Whether that was the last one; then the connection is closed.
  func remove(_ id: ObjectIdentifier) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard listeners.removeValue(forKey: id) != nil, listeners.isEmpty else { return false }
    connection = nil
    if let watch { FileEvents.shared?.stop(watch) }
    watch = nil
    return true
  }

  /// Looks soon, without waiting: this process has committed.
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
      attempt = next < Self.delays.count ? next : nil
      if attempt != nil { setTimer() }
      look()
    }
  }

  /// Posts when somebody has committed. Nothing is locked while observers run.
  private func look() {
    for (listener, token) in news() {
      guard let coordinator = listener.coordinator else { continue }
      var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: listener.storeID, NSPersistentStoreURLKey: listener.url]
      userInfo[NSPersistentHistoryTokenKey] = token
      NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }
  }

  /// Whom to tell what. Who tracks history hears of transactions, not of commits that left the data as they were, such as
  /// a purge.
  private func news() -> [(Listener, NSPersistentHistoryToken?)] {
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
      return latest == transaction ? nil : (listener, NSPersistentHistoryToken([listener.storeID: latest]))
    }
  }
}
