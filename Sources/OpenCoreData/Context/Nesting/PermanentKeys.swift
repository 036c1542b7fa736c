import Synchronization

/// The keys that objects of a tree of contexts have got in place of their temporary ones, in the order in which they got
/// them: each context of the tree takes over what it has not seen yet, on its own queue.
final class PermanentKeys: Sendable {
  struct Entry: Sendable {
    let temporary: Int64
    let permanent: Int64
    let rootNumber: Int
    let store: NSPersistentStore
  }

  private struct Log {
    var entries: ContiguousArray<Entry> = []
    /// How many entries were forgotten.
    var forgotten = 0
    /// Made when the first ID is looked up.
    var places: [Int64: Int] = [:]
    var placed = 0
  }

  private let log = Mutex(Log())
  private let total = Atomic<Int>(0)

  /// How many entries there have been.
  @inline(__always)
  var count: Int { total.load(ordering: .acquiring) }

  func add(_ entry: Entry) {
    log.withLock { log in
      log.entries.append(entry)
      total.store(log.forgotten + log.entries.count, ordering: .releasing)
    }
  }

  /// The entries from one position up to another.
  func entries(from start: Int, to end: Int) -> ContiguousArray<Entry> {
    log.withLock { log in
      let first = max(start - log.forgotten, 0), last = min(end - log.forgotten, log.entries.count)
      return first < last ? ContiguousArray(log.entries[first..<last]) : []
    }
  }

  /// What became of an object that had that temporary key.
  func entry(of temporary: Int64) -> Entry? {
    log.withLock { log in
      while log.placed < log.entries.count {
        log.places[log.entries[log.placed].temporary] = log.placed
        log.placed += 1
      }
      return log.places[temporary].map { log.entries[$0] }
    }
  }

  /// Forgets everything, when no context is left that could ask.
  func forget() {
    log.withLock { log in
      let count = log.forgotten + log.entries.count
      log = Log()
      log.forgotten = count
    }
  }
}
