import CSQLite
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// One context's open read transaction on one store; on a store that is not SQLite, there is never one.
///
/// Begins with a fetch or a fault, serves what follows, and ends with the perform block, a save, a reset, or when the pool
/// takes it back. Two threads meet here only when the pool does that. A lease of a context that is pinned to a query
/// generation has no transaction of its own and reads in the generation's.
final class ReadLease: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private let store: SQLStore?
  /// The context that reads; of its queue.
  @WeaklyReferring private(set) var context: NSManagedObjectContext?
  @exclusivity(unchecked) private var connection: SQLiteConnection?
  @exclusivity(unchecked) private var commit: UInt64 = 0 {
    didSet { pinned.store(commit, ordering: .relaxed) }
  }
  private let pinned = Atomic<UInt64>(.max)
  @exclusivity(unchecked) private var lastUse: UInt64 = 0
  private static let transactions = Atomic<UInt64>(0)
  /// The number of the open transaction, in all of the process.
  @exclusivity(unchecked) private var transaction: UInt64 = 0
  /// The reader of the generation that the context is pinned to; of the context's queue, as the two below.
  @exclusivity(unchecked) private var reader: PinnedReader?
  /// Whether the next read pins the context.
  @exclusivity(unchecked) private var pinsAtNextRead = false
  /// The rows that the generation has for itself; nil as long as there are none.
  @exclusivity(unchecked) private(set) var ownRows: RowCache?

  init(store: NSPersistentStore, context: NSManagedObjectContext) {
    self.store = store as? SQLStore
    self.context = context
  }

  deinit {
    guard let connection else { return }
    giveBack(connection)
  }

  /// The commit that the open transaction reads at; the greatest number when none is open, and 0, so that nothing is taken
  /// from the row cache, as long as the next read is still to pin the context.
  @inline(__always)
  var pinnedCommit: UInt64 { pinned.load(ordering: .relaxed) }

  /// Runs `body` in the transaction, with the commit that its reads belong to.
  /// - Parameter latest: whether the reads must see everything committed so far.
  func read<Result>(latest: Bool, _ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result {
    guard let store else { raise(.internalInconsistency, "Only a SQLite store has read transactions.") }
    if pinsAtNextRead { try context?.pinQueryGeneration() }
    if let reader { return try reader.read(body) }
    lock.lock()
    defer {
      lastUse = DispatchTime.now().uptimeNanoseconds
      lock.unlock()
    }
    if latest, let connection {
      do {
        if let current = try store.refreshIfStale(connection, from: commit) { begin(at: current) }
      } catch {
        // There may be no transaction now: the next read begins with a new one.
        self.connection = nil
        pinned.store(.max, ordering: .relaxed)
        giveBack(connection)
        throw error
      }
      return try body(connection, commit)
    }
    if let connection { return try body(connection, commit) }
    let taken = try store.readers.take(for: self, timeout: store.timeout)
    do {
      begin(at: try store.beginRead(taken))
    } catch {
      pinned.store(.max, ordering: .relaxed)
      giveBack(taken)
      throw error
    }
    connection = taken
    return try body(taken, commit)
  }

  private func begin(at commit: UInt64) {
    self.commit = commit
    transaction = Self.transactions.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Ends the transaction and gives the connection back; a generation goes on.
  func end() {
    if reader != nil || pinsAtNextRead { return }
    endTransaction()
  }

  private func endTransaction() {
    lock.lock()
    let ended = connection
    connection = nil
    pinned.store(.max, ordering: .relaxed)
    lock.unlock()
    if let ended { giveBack(ended) }
  }

  /// Ends the transaction and gives the connection to `accept`, if nobody has used the lease for that long; false while
  /// it is in use. The lease is locked meanwhile.
  @discardableResult
  func surrender(ifUnusedFor nanoseconds: UInt64, to accept: (SQLiteConnection) -> Void) -> Bool {
    guard lock.try() else { return false }
    defer { lock.unlock() }
    guard let surrendered = connection, DispatchTime.now().uptimeNanoseconds - lastUse >= nanoseconds else {
      return false
    }
    connection = nil
    pinned.store(.max, ordering: .relaxed)
    finish(surrendered)
    accept(surrendered)
    return true
  }

  private func giveBack(_ connection: SQLiteConnection) {
    finish(connection)
    store?.readers.give(connection, from: self)
  }

  private func finish(_ connection: SQLiteConnection) {
    // A read transaction that cannot end has ended already.
    try? connection.statement("COMMIT").run()
  }
}

// Query generations, and the rows that are at hand in one; all of this is for the context's queue.
extension ReadLease {
  /// Whether the transaction is a query generation's, or the next one will be.
  var isPinned: Bool { reader != nil || pinsAtNextRead }

  /// Reads in a query generation from now on, or no longer. A store that has none goes on as it was.
  func follow(_ pin: QueryGenerationPin) {
    guard let store, store.hasGenerations else { return }
    endTransaction()
    reader = nil
    pinsAtNextRead = false
    transaction = 0
    switch pin {
    case .unpinned: break
    case .current:
      pinsAtNextRead = true
      pinned.store(0, ordering: .relaxed)
    case .generation(let generation):
      reader = generation.reader(for: store)
      if let reader { pinned.store(reader.commit, ordering: .relaxed) }
    }
    ownRows = reader?.ownRows
  }

  /// What the open transaction reads at: equal numbers are the same state.
  var moment: UInt64 {
    switch pinnedCommit {
    // Two transactions at unknown moments need not see the same.
    case 0: transaction | 1 << 63
    case let commit: commit
    }
  }

  /// Whether the generation has rows for itself.
  var hasOwnRows: Bool { ownRows != nil }

  /// A row that only the generation has.
  func ownRow(_ key: Int64, root: Int) -> Snapshot? { ownRows?.shard(root).get(key, at: .max) }

  /// Keeps rows that were read in the transaction: in the row cache or, where that is ahead, with the generation.
  /// - Returns: false if they are kept nowhere.
  @discardableResult
  func keep(_ rows: ContiguousArray<Snapshot>, in cache: RowCache, root: Int) -> Bool {
    if cache.shard(root).put(rows) { return true }
    guard let own = madeOwnRows() else { return false }
    return own.shard(root).put(rows)
  }

  /// Keeps members' keys in the same way.
  func keep(_ keys: KeyArray, of owner: Int64, in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys, owner: owner) { return }
    madeOwnRows()?.relation(id).put(keys, owner: owner)
  }

  /// Keeps members' keys that were read at one commit in the same way.
  func keep(_ keys: [(owner: Int64, keys: KeyArray)], in cache: RowCache, relation id: RelationID) {
    if cache.relation(id).put(keys) { return }
    madeOwnRows()?.relation(id).put(keys)
  }

  private func madeOwnRows() -> RowCache? {
    if ownRows == nil { ownRows = reader?.makeOwnRows() }
    return ownRows
  }
}
