import Foundation
import Synchronization

/// The watchers of this process by file. One table serves the whole process, since each coordinator is told of the commits of
/// all others.
enum RemoteChanges {
  private static let watchers = Mutex<[String: RemoteChangeWatcher]>([:])

  /// Begins to tell `coordinator` of commits to the store, if the store's options say so.
  static func watch(_ store: SQLiteStore, for coordinator: NSPersistentStoreCoordinator) {
    guard let options = try? HistoryOptions(store.options), options.announcesChanges else { return }
    let listener = RemoteChangeWatcher.Listener(store, coordinator)
    let watcher = watchers.withLock { watchers in
      let path = realPath(store.path)
      let watcher = watchers[path] ?? RemoteChangeWatcher(path: path)
      watchers[path] = watcher
      watcher.add(listener, id: ObjectIdentifier(store))
      return watcher
    }
    store.writer.observeCommits { [weak watcher] in watcher?.check() }
  }

  /// Stops the observation for the store with that identity. When the call returns, no connection to its file is open here.
  static func stop(_ id: ObjectIdentifier) {
    watchers.withLock { watchers in
      // All watchers are searched, since the file may have been moved in the meantime.
      for (path, watcher) in watchers where watcher.remove(id) { watchers[path] = nil }
    }
  }

  /// The watcher that looks after a store's file.
  static func watcher(of store: NSPersistentStore) -> RemoteChangeWatcher? {
    watchers.withLock { $0.values.first { $0.tells(ObjectIdentifier(store)) } }
  }

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
