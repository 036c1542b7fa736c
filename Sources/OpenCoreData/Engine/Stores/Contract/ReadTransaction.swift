import Foundation
import OpenCocoaFoundation
import Synchronization

/// The read transaction of one context on one store, which makes it.
///
/// It begins with a fetch or a fault, serves the reads that follow, and ends with the perform block, a save or a reset. A
/// store without transactions makes an instance of this class itself, which keeps nothing open.
///
/// Sendable: the commit is atomic; everything else is used only on the context's queue.
@_spi(Store) open class ReadTransaction: WeaklyReferenced, @unchecked Sendable {
  /// The weak reference by which other objects refer to the transaction without keeping it alive.
  package final let reference = WeakReference()
  /// The context that reads.
  @WeaklyReferring package private(set) final var context: NSManagedObjectContext?
  private final let pinned = Atomic<UInt64>(.max)
  /// The number of the open transaction, unique in the process; 0 if none is open.
  @exclusivity(unchecked) package final var number: UInt64 = 0
  /// Whether the transaction, or the next one if none is open, belongs to a query generation.
  @exclusivity(unchecked) package final var isPinned = false
  /// The cache of rows that only the generation has; nil as long as there are none.
  @exclusivity(unchecked) package final var ownRows: RowCache?

  /// Makes a transaction that has not begun.
  public init(context: NSManagedObjectContext) {
    self.context = context
    reference.begin(self)
  }

  deinit { reference.end() }

  /// The commit that the open transaction reads at; the greatest number if none is open. 0, so that nothing is taken from the
  /// row cache, as long as the next read still has to pin the context.
  @inline(__always)
  package final var pinnedCommit: UInt64 {
    get { pinned.load(ordering: .relaxed) }
    set { pinned.store(newValue, ordering: .relaxed) }
  }

  // MARK: For subclasses to override

  /// Moves the transaction to the latest commit; the store drops rows from its cache that others have written.
  /// - Returns: false for a store that does not notice others' commits.
  open func refresh() throws -> Bool { false }

  /// Ends the transaction, but not the query generation that it may belong to.
  open func end() {}

  /// Makes reads follow a query generation from now on, or no longer. A store without query generations ignores it.
  open func follow(_ pin: QueryGenerationPin) {}

  /// Makes a cache for rows that only the generation has; nil if the transaction reads no generation.
  open func makeOwnRows() -> RowCache? { nil }
}

// The rows that are kept for a query generation.
extension ReadTransaction {
  /// A number for the state that the open transaction reads: equal numbers mean the same state. If none is open, and in a
  /// store without transactions, it is the greatest number, which says nothing.
  package final var moment: UInt64 {
    switch pinnedCommit {
    // Two transactions at unknown moments may see different states.
    case 0: number | 1 << 63
    case let commit: commit
    }
  }

  /// Whether there are rows that only the generation has.
  package final var hasOwnRows: Bool { ownRows != nil }

  /// Returns a row that only the generation has.
  package final func ownRow(_ key: Int64, root: Int) -> Snapshot? { ownRows?.shard(root).get(key, at: .max) }

  /// Keeps rows that were read in the transaction: in the row cache or, if that refuses them as too old, with the generation.
  /// - Returns: false if the rows are kept nowhere.
  @discardableResult
  package final func keep(_ rows: ContiguousArray<Snapshot>, in cache: RowCache, root: Int) -> Bool {
    if cache.shard(root).put(rows) { return true }
    guard let own = madeOwnRows() else { return false }
    return own.shard(root).put(rows)
  }

  /// Keeps members' keys in the same way as rows.
  package final func keep(_ keys: KeyArray, of owner: Int64, in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys, owner: owner) { return }
    madeOwnRows()?.relation(id).put(keys, owner: owner)
  }

  /// Keeps members' keys that were read at one commit in the same way as rows.
  package final func keep(_ keys: [(owner: Int64, keys: KeyArray)], in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys) { return }
    madeOwnRows()?.relation(id).put(keys)
  }

  private final func madeOwnRows() -> RowCache? {
    if ownRows == nil { ownRows = makeOwnRows() }
    return ownRows
  }
}
