import CSQLite
import Dispatch
import Foundation

/// The connections that read, beside the one that writes.
///
/// A context that reads holds a connection with an open transaction (`SQLiteReadTransaction`). The pool ends idle
/// transactions after a while, so that the write-ahead log can be checkpointed, and at once if another context needs a
/// connection and none is free. Besides, there are the readers of query generations (`PinnedReader`), at most as many again;
/// the pool does not take back their connections. `ReaderPoolPolicy` makes the decisions; this class opens connections,
/// waits, and takes connections back.
final class ReaderPool: @unchecked Sendable {  // everything belongs to `condition`
  private let condition = NSCondition()
  private var open: () throws -> SQLiteConnection
  private var policy: ReaderPoolPolicy<SQLiteConnection>
  private var transactions: [ObjectIdentifier: WeakTransaction] = [:]
  private var pinned: [ObjectIdentifier: WeakReader] = [:]
  /// Called on a global queue when the last read transaction has ended; set once, before the first transaction.
  var whenIdle: (@Sendable () -> Void)?
  /// Called on the same queue as `whenIdle`, and after it, each time idle read transactions have been taken back; set once,
  /// before the first transaction.
  var whenReaped: (@Sendable () -> Void)?
  /// How long a read transaction may stay unused before the pool ends it. Set before the first read, if at all.
  var idleNanoseconds: UInt64 = 50_000_000

  private struct WeakTransaction { @WeaklyReferring var transaction: SQLiteReadTransaction? }
  private struct WeakReader { weak var reader: PinnedReader? }

  init(limit: Int, open: @escaping () throws -> SQLiteConnection) {
    policy = ReaderPoolPolicy(limit: limit)
    self.open = open
  }

  /// Returns a connection on which no transaction is open, for `transaction`. Waits while all connections are in use.
  func take(for transaction: SQLiteReadTransaction, timeout: TimeInterval) throws -> SQLiteConnection {
    let deadline = Date(timeIntervalSinceNow: timeout)
    while true {
      if let connection = try condition.withLock({ try takeFree(for: transaction) }) { return connection }
      if let connection = takeOver(for: transaction) { return connection }
      let isFree = condition.withLock {
        !policy.idle.isEmpty || condition.wait(until: min(deadline, Date(timeIntervalSinceNow: 0.005)))
      }
      guard isFree || Date() < deadline else {
        throw NSError(
          coreData: NSPersistentStoreTimeoutError, "No connection for reading became free within \(timeout) seconds.")
      }
    }
  }

  /// Returns an idle connection or a new one; nil if the pool has as many connections as it may have. Called under the lock.
  private func takeFree(for transaction: SQLiteReadTransaction) throws -> SQLiteConnection? {
    let id = ObjectIdentifier(transaction)
    let connection: SQLiteConnection
    switch policy.take(id) {
    case .none: return nil
    case .idle(let free): connection = free
    case .new:
      do { connection = try openOne() } catch {
        policy.failedToOpen(for: id)
        throw error
      }
    }
    note(transaction)
    return connection
  }

  private func openOne() throws -> SQLiteConnection {
    let connection = try open()
    connection.poolDatabase = policy.database
    return connection
  }

  /// Takes the connection of another read transaction that is not in use at this moment; returns nil if there is none.
  private func takeOver(for transaction: SQLiteReadTransaction) -> SQLiteConnection? {
    var taken: SQLiteConnection?
    for other in registered() where other !== transaction {
      let isTaken = other.surrender(ifUnusedFor: 0) { connection in
        condition.withLock {
          transactions[ObjectIdentifier(other)] = nil
          guard
            policy.handOver(
              of: connection.poolDatabase, from: ObjectIdentifier(other), to: ObjectIdentifier(transaction))
          else { return }
          taken = connection
          note(transaction)
        }
      }
      if isTaken, taken != nil { return taken }
    }
    return nil
  }

  /// Takes back a connection whose transaction has ended.
  func give(_ connection: SQLiteConnection, from transaction: SQLiteReadTransaction) {
    condition.withLock {
      transactions[ObjectIdentifier(transaction)] = nil
      _ = policy.give(connection, of: connection.poolDatabase, from: ObjectIdentifier(transaction))
      condition.signal()
    }
  }

  /// Ends every read transaction that is not in use at this moment.
  func takeBackIdle(longerThan nanoseconds: UInt64 = 0) {
    for transaction in registered() {
      // The connection is given back under the lock of the read transaction, so that its context cannot register the
      // transaction again in between.
      transaction.surrender(ifUnusedFor: nanoseconds) { give($0, from: transaction) }
    }
  }

  // MARK: Query generations

  /// Returns a connection on which no transaction is open. The pool does not take it back by itself.
  /// - Throws: 134070 if there are as many generations as there may be, or if the store is closed.
  func take(for reader: PinnedReader) throws -> SQLiteConnection {
    try condition.withLock {
      guard !policy.isClosed else { throw PinnedReader.overError }
      let id = ObjectIdentifier(reader)
      let connection: SQLiteConnection
      switch policy.pin(id) {
      case .none:
        throw NSError(
          coreData: NSPersistentStoreOperationError,
          "The store's \(policy.limit) query generations are all in use; one ends when no context is pinned to it and "
            + "nobody holds its token. \(NSPersistentStoreConnectionPoolMaxSizeKey) says how many there may be.")
      case .idle(let free): connection = free
      case .new:
        do { connection = try openOne() } catch {
          policy.failedToOpen(forGeneration: id)
          throw error
        }
      }
      pinned[id] = WeakReader(reader: reader)
      return connection
    }
  }

  /// Takes back the connection of a generation that is over. The reaper runs soon, because checkpoints and the removal of
  /// files may have had to wait for the generation.
  func give(_ connection: SQLiteConnection, from reader: PinnedReader) {
    condition.withLock {
      pinned[ObjectIdentifier(reader)] = nil
      if policy.unpin(connection, of: connection.poolDatabase, from: ObjectIdentifier(reader)) == .kept {
        condition.signal()
      }
      if !policy.isClosed, policy.setsReaper() { setReaper() }
    }
  }

  /// Returns the oldest commit at which a reader may be; `UInt64.max` if there is no reader.
  func oldestCommit() -> UInt64 {
    // A registered read transaction without a commit is about to begin or to end. The same holds for the reader of a
    // generation that is being deallocated. Both count as commit 0.
    let transactions = registered().map { $0.pinnedCommit == .max ? 0 : $0.pinnedCommit }
    let pinned = condition.withLock { self.pinned.values.map(\.reader) }.map { $0?.commit ?? 0 }
    return (transactions + pinned).min() ?? .max
  }

  /// Returns the read transactions that have a connection. The caller must release them outside the lock: the last reference
  /// to a transaction may be among them, and a transaction gives its connection back when it is deallocated.
  private func registered() -> [SQLiteReadTransaction] {
    condition.withLock {
      var result: [SQLiteReadTransaction] = []
      for (id, entry) in transactions {
        if let transaction = entry.transaction {
          result.append(transaction)
        } else {
          transactions[id] = nil
          policy.forget(id)
        }
      }
      return result
    }
  }

  /// Opens connections to another database from now on. Connections that are in use at this moment are closed when they are
  /// given back.
  func reopen(_ open: @escaping () throws -> SQLiteConnection) {
    takeBackIdle()
    condition.withLock {
      self.open = open
      policy.changeDatabase()
    }
  }

  /// Closes the connections that are in the pool; the connections that are in use are closed when they come back.
  func close() {
    takeBackIdle()
    let pinned = condition.withLock {
      policy.close()
      return self.pinned.values.map(\.reader)
    }
    for reader in pinned { reader?.end() }
  }

  /// Registers a transaction that has a connection, so that the pool can ask it to end. Called under the lock.
  private func note(_ transaction: SQLiteReadTransaction) {
    transactions[ObjectIdentifier(transaction)] = WeakTransaction(transaction: WeaklyReferring(transaction))
    if policy.setsReaper() { setReaper() }
  }

  /// Has idle read transactions taken back in a while, and `whenReaped` called, though none may be open.
  func reapLater() { condition.withLock { if policy.setsReaper() { setReaper() } } }

  private func setReaper() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(60)) { [weak self] in self?.reap() }
  }

  private func reap() {
    takeBackIdle(longerThan: idleNanoseconds)
    let isIdle = condition.withLock {
      let (again, isIdle) = policy.reaped()
      if again { setReaper() }
      return isIdle
    }
    // What waits here for a save keeps the writer's connection for a moment after it, so that the save cannot clean up itself:
    // that is done afterwards.
    if isIdle { whenIdle?() }
    whenReaped?()
  }
}
