import Foundation
import Synchronization

/// The query generation that a context reads.
@_spi(Store) public enum QueryGenerationPin {
  /// The latest commit, each time anew.
  case unpinned
  /// The next read takes the latest commit, and later reads stay at it.
  case current
  /// One state of the stores.
  case generation(QueryGeneration)
}

/// One state of a coordinator's stores: an open read transaction on each SQLite store that has a write-ahead log.
///
/// It lives as long as a context is pinned to it, or a token of it is held.
@_spi(Store) public final class QueryGeneration: @unchecked Sendable {  // immutable
  let id = UUID()
  private(set) weak var coordinator: NSPersistentStoreCoordinator?
  private let entries: [Entry]

  private struct Entry {
    @WeaklyReferring var store: NSPersistentStore?
    /// Nil for a store that has no generations.
    let reader: (any GenerationReader)?
  }

  private struct WeakGeneration { weak var generation: QueryGeneration? }

  /// All generations of the process, so that an archived token finds its own.
  private static let all = Mutex<[UUID: WeakGeneration]>([:])

  /// Begins at the latest commit of every store.
  /// - Throws: what `makeGenerationReader()` of the stores throws.
  init(of coordinator: NSPersistentStoreCoordinator) throws {
    self.coordinator = coordinator
    entries = try coordinator.persistentStores.map { store in
      Entry(store: WeaklyReferring(store), reader: store.can(.generations) ? try store.makeGenerationReader() : nil)
    }
    let weakly = WeakGeneration(generation: self)
    Self.all.withLock { $0[id] = weakly }
  }

  deinit { Self.all.withLock { $0[id] = nil } }

  /// The generation with that ID; nil if it has ended or belongs to another process.
  static func find(_ id: UUID) -> QueryGeneration? { all.withLock { $0[id] }?.generation }

  /// Whether one of the generation's stores supports generations.
  var hasReaders: Bool { entries.contains { $0.reader != nil } }

  /// Whether the coordinator has none of the generation's stores any more, so that nothing can be read.
  var isOver: Bool {
    !entries.contains { entry in
      guard entry.reader != nil, let store = entry.store, let coordinator else { return false }
      return store.coordinator === coordinator
    }
  }

  package func reader(for store: NSPersistentStore) -> (any GenerationReader)? {
    entries.first { $0.store === store }?.reader
  }

  /// Whether the store was among the coordinator's stores when the generation began.
  func covers(_ store: NSPersistentStore) -> Bool { entries.contains { $0.store === store } }
}
