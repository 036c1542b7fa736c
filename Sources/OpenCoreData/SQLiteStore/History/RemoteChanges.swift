import Foundation
import Synchronization

/// The watchers of this process, by file. There is one table for the process, because each coordinator is told of the commits
/// of all others.
enum RemoteChanges {
  private static let watchers = Mutex<[String: RemoteChangeWatcher]>([:])

  /// Begins to tell `coordinator` of commits to the store, if the store's options ask for it.
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

  /// Ends that for the store with this identity. When this returns, the watcher of a file that no other store needs has
  /// closed its connection.
  static func stop(_ id: ObjectIdentifier) {
    watchers.withLock { watchers in
      // All watchers are searched, because the file may have been moved meanwhile.
      for (path, watcher) in watchers where watcher.remove(id) { watchers[path] = nil }
    }
  }

  /// Returns the watcher of a store's file.
  static func watcher(of store: NSPersistentStore) -> RemoteChangeWatcher? {
    watchers.withLock { $0.values.first { $0.tells(ObjectIdentifier(store)) } }
  }

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
