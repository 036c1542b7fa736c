import Foundation
import OpenCocoaFoundation
import Synchronization

/// One context's open read transaction on one store, which makes it.
///
/// Begins with a fetch or a fault, serves what follows, and ends with the perform block, a save or a reset. A store without
/// transactions makes an instance of this class itself, which keeps nothing open.
///
/// Sendable: the commit is atomic; all else belongs to the context's queue.
@_spi(Store) open class ReadTransaction: WeaklyReferenced, @unchecked Sendable {
  /// A weak reference to the transaction, for objects that may outlive it.
  package final let reference = WeakReference()
  /// The context that reads.
  @WeaklyReferring package private(set) final var context: NSManagedObjectContext?
  private final let pinned = Atomic<UInt64>(.max)
  /// The number of the open transaction, which no other one of the process has; 0 if no transaction is open.
  @exclusivity(unchecked) package final var number: UInt64 = 0
  /// Whether the transaction is a query generation's, or the next one will be.
  @exclusivity(unchecked) package final var isPinned = false
  /// The rows that the generation has for itself; nil as long as there are none.
  @exclusivity(unchecked) package final var ownRows: RowCache?

  /// Makes a transaction that is not begun.
  public init(context: NSManagedObjectContext) {
    self.context = context
    reference.begin(self)
  }

  deinit { reference.end() }

  /// The commit that the open transaction reads at; the greatest number when none is open, and 0, so that nothing is taken
  /// from the row cache, as long as the next read is still to pin the context.
  @inline(__always)
  package final var pinnedCommit: UInt64 {
    get { pinned.load(ordering: .relaxed) }
    set { pinned.store(newValue, ordering: .relaxed) }
  }

  // MARK: For subclasses to override

  /// Brings the transaction to the latest commit. The store drops cached rows that others have written since.
  /// - Returns: false for a store that does not notice others' commits.
  open func refresh() throws -> Bool { false }

  /// Ends the transaction, except that of a query generation.
  open func end() {}

  /// Reads in a query generation from now on, or no longer. A store without generations ignores it.
  open func follow(_ pin: QueryGenerationPin) {}

  /// A place for rows that only the generation has; nil where none is read.
  open func makeOwnRows() -> RowCache? { nil }
}

// The rows that are at hand in a query generation.
extension ReadTransaction {
  /// A number for the state that the open transaction reads: equal numbers mean the same state.
  package final var moment: UInt64 {
    switch pinnedCommit {
    // Two transactions at unknown moments need not see the same.
    case 0: number | 1 << 63
    case let commit: commit
    }
  }

  /// Whether the generation has rows for itself.
  package final var hasOwnRows: Bool { ownRows != nil }

  /// A row that only the generation has.
  package final func ownRow(_ key: Int64, root: Int) -> Snapshot? { ownRows?.shard(root).get(key, at: .max) }

  /// Keeps rows that were read in the transaction: in the row cache or, where that is ahead, with the generation.
  /// - Returns: false if they are kept nowhere.
  @discardableResult
  package final func keep(_ rows: ContiguousArray<Snapshot>, in cache: RowCache, root: Int) -> Bool {
    if cache.shard(root).put(rows) { return true }
    guard let own = madeOwnRows() else { return false }
    return own.shard(root).put(rows)
  }

  /// Keeps members' keys in the same way.
  package final func keep(_ keys: KeyArray, of owner: Int64, in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys, owner: owner) { return }
    madeOwnRows()?.relation(id).put(keys, owner: owner)
  }

  /// Keeps members' keys that were read at one commit in the same way.
  package final func keep(_ keys: [(owner: Int64, keys: KeyArray)], in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys) { return }
    madeOwnRows()?.relation(id).put(keys)
  }

  private final func madeOwnRows() -> RowCache? {
    if ownRows == nil { ownRows = makeOwnRows() }
    return ownRows
  }
}
