import CoreData
import Synchronization

/// Notes when the last of a number of new songs was written to the store.
final class DiskWatch {
  private struct State {
    var songs = 0
    var last: ContinuousClock.Instant?
    var saves = 0
  }

  private final class Counter: Sendable {
    let state = Mutex(State())
  }

  private let counter = Counter()
  private let observer: SaveObserver

  init() {
    observer = SaveObserver(nil) { [counter] saved in
      // The save of a context below another one writes nothing.
      guard let context = saved.object as? NSManagedObjectContext, context.parent == nil else { return }
      let inserted = saved.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
      let songs = inserted.count { $0.entity.name == "Song" }
      counter.state.withLock { state in
        state.saves += 1
        guard songs > 0 else { return }
        state.songs += songs
        state.last = .now
      }
    }
  }

  /// The number of new songs in the store.
  var songs: Int { counter.state.withLock { $0.songs } }
  /// The number of saves that wrote to the store.
  var saves: Int { counter.state.withLock { $0.saves } }
  /// When the last of them was written.
  var last: ContinuousClock.Instant? { counter.state.withLock { $0.last } }
}
