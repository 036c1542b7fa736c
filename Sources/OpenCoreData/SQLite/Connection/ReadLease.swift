import CSQLite
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// One context's open read transaction on one store; on a store that is not SQLite, there is never one.
///
/// Begins with a fetch or a fault, serves what follows, and ends with the perform block, a save, a reset, or when the pool
/// takes it back. Two threads meet here only when the pool does that.
final class ReadLease: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private let store: SQLStore?
  /// The context that reads; of its queue.
  private(set) weak var context: NSManagedObjectContext?
  @exclusivity(unchecked) private var connection: SQLiteConnection?
  @exclusivity(unchecked) private var commit: UInt64 = 0 {
    didSet { pinned.store(commit, ordering: .relaxed) }
  }
  private let pinned = Atomic<UInt64>(.max)
  @exclusivity(unchecked) private var lastUse: UInt64 = 0

  init(store: NSPersistentStore, context: NSManagedObjectContext) {
    self.store = store as? SQLStore
    self.context = context
  }

  deinit {
    guard let connection else { return }
    giveBack(connection)
  }

  /// The commit that the open transaction reads at; the greatest number when none is open.
  @inline(__always)
  var pinnedCommit: UInt64 { pinned.load(ordering: .relaxed) }

  /// Runs `body` in the transaction, with the commit that its reads belong to.
  /// - Parameter latest: whether the reads must see everything committed so far.
  func read<Result>(latest: Bool, _ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result {
    guard let store else { raise(.internalInconsistency, "Only a SQLite store has read transactions.") }
    lock.lock()
    defer {
      lastUse = DispatchTime.now().uptimeNanoseconds
      lock.unlock()
    }
    if latest, let connection {
      do {
        if let current = try store.refreshIfStale(connection, from: commit) { commit = current }
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
      commit = try store.beginRead(taken)
    } catch {
      pinned.store(.max, ordering: .relaxed)
      giveBack(taken)
      throw error
    }
    connection = taken
    return try body(taken, commit)
  }

  /// Ends the transaction and gives the connection back.
  func end() {
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
