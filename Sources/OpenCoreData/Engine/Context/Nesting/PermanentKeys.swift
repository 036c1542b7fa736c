import Synchronization

/// The keys that objects of a tree of contexts have got in place of their temporary ones, in the order in which they got
/// them: each context of the tree takes over what it has not seen yet, on its own queue.
///
/// Entries that every context with a parent has taken over are dropped, except for the latest ones: the application may
/// still hold a temporary ID.
final class PermanentKeys: Sendable {
  struct Entry: Sendable {
    let temporary: Int64
    let permanent: Int64
    let rootNumber: Int
    let store: NSPersistentStore
  }

  /// The number of entries that are kept for temporary IDs although all contexts have read them; up to twice as many are
  /// kept before some are dropped.
  static let kept = 1024

  private struct Reader {
    /// The position up to which the context has read.
    var position: Int
    /// The position from which the context needs the entries although it has read them; nil for none.
    var held: Int?

    var oldest: Int { held ?? position }
  }

  private struct Log {
    var entries: ContiguousArray<Entry> = []
    /// The number of entries that were dropped.
    var forgotten = 0
    /// Positions by temporary key; made when the first ID is looked up.
    var places: [Int64: Int] = [:]
    var placed = 0
    var readers: [ObjectIdentifier: Reader] = [:]

    var end: Int { forgotten + entries.count }

    /// Drops entries that every context has taken over.
    mutating func shrink() {
      let oldest = readers.isEmpty ? end : Swift.min(oldestNeeded, end - PermanentKeys.kept)
      let count = oldest - forgotten
      guard count > 0, readers.isEmpty || count >= PermanentKeys.kept else { return }
      for entry in entries.prefix(Swift.max(0, Swift.min(count, placed - forgotten))) { places[entry.temporary] = nil }
      entries.removeSubrange(..<count)
      forgotten += count
      placed = Swift.max(placed, forgotten)
    }

    private var oldestNeeded: Int { readers.values.lazy.map(\.oldest).min() ?? end }
  }

  private let log = Mutex(Log())
  private let total = Atomic<Int>(0)

  /// The number of entries there have ever been.
  @inline(__always)
  var count: Int { total.load(ordering: .acquiring) }

  /// The number of entries that are kept.
  var keptCount: Int { log.withLock { $0.entries.count } }

  func add(_ entry: Entry) {
    log.withLock { log in
      log.entries.append(entry)
      total.store(log.end, ordering: .releasing)
    }
  }

  /// The entry of the object that had that temporary key.
  func entry(of temporary: Int64) -> Entry? {
    log.withLock { log in
      while log.placed < log.end {
        log.places[log.entries[log.placed - log.forgotten].temporary] = log.placed
        log.placed += 1
      }
      return log.places[temporary].map { log.entries[$0 - log.forgotten] }
    }
  }

  // MARK: Contexts that read the keys

  /// Notes that a context below the top reads from now on.
  /// - Parameter knowsAll: whether the context has no objects, so that older keys do not matter to it.
  /// - Returns: the position from which the context reads.
  func join(_ context: NSManagedObjectContext, knowsAll: Bool) -> Int {
    log.withLock { log in
      let position = knowsAll ? log.end : log.forgotten
      log.readers[ObjectIdentifier(context)] = Reader(position: position)
      return position
    }
  }

  /// Notes that the context does not read any more.
  func leave(_ context: NSManagedObjectContext) {
    log.withLock { log in
      if log.readers.removeValue(forKey: ObjectIdentifier(context)) != nil { log.shrink() }
    }
  }

  /// The entries from one position up to another. They count as read by the context from now on.
  func read(from start: Int, to end: Int, by context: NSManagedObjectContext) -> ContiguousArray<Entry> {
    log.withLock { log in
      let first = max(start - log.forgotten, 0), last = min(end - log.forgotten, log.entries.count)
      let entries = first < last ? ContiguousArray(log.entries[first..<last]) : []
      if log.readers[ObjectIdentifier(context)] != nil {
        log.readers[ObjectIdentifier(context)]?.position = end
        log.shrink()
      }
      return entries
    }
  }

  /// Keeps all entries until `release`: the context is going to ask for temporary IDs that other contexts have told it.
  func hold(for context: NSManagedObjectContext) {
    log.withLock { $0.readers[ObjectIdentifier(context)]?.held = $0.forgotten }
  }

  func release(for context: NSManagedObjectContext) {
    log.withLock { log in
      log.readers[ObjectIdentifier(context)]?.held = nil
      log.shrink()
    }
  }
}
