import CSQLite
import Dispatch
import Foundation

/// The connections that read, beside the one that writes.
///
/// A context that reads holds a connection with an open transaction (`SQLiteReadTransaction`). Idle transactions are taken
/// back, so that the write-ahead log can be checkpointed, and also when another context needs a connection and all are in
/// use. In addition there are the readers of query generations (`PinnedReader`), at most as many again, which are not taken
/// back. `ReaderPoolPolicy` makes the decisions; this class opens, waits and takes back.
final class ReaderPool: @unchecked Sendable {  // everything belongs to `condition`
  private let condition = NSCondition()
  private var open: () throws -> SQLiteConnection
  private var policy: ReaderPoolPolicy<SQLiteConnection>
  private var transactions: [ObjectIdentifier: WeakTransaction] = [:]
  private var pinned: [ObjectIdentifier: WeakReader] = [:]
  /// Called on a queue of its own when the last read transaction has ended. Set once, before the first transaction.
  var whenIdle: (@Sendable () -> Void)?
  /// Called on that queue whenever idle read transactions have been taken back. Set like `whenIdle`.
  var whenReaped: (@Sendable () -> Void)?
  /// How long a read transaction may be unused. Set before the first read, or not at all.
  var idleNanoseconds: UInt64 = 50_000_000

  private struct WeakTransaction { @WeaklyReferring var transaction: SQLiteReadTransaction? }
  private struct WeakReader { weak var reader: PinnedReader? }

  init(limit: Int, open: @escaping () throws -> SQLiteConnection) {
    policy = ReaderPoolPolicy(limit: limit)
    self.open = open
  }

  /// Returns a connection without a transaction for `transaction`; waits if all connections are in use.
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

  /// Returns an idle connection, or a new one; nil if the pool already has the largest number. Called under the lock.
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

  /// The connection of another read transaction that is not in use at this moment.
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

  /// Takes a connection back whose transaction has ended.
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
      // The connection is given back under the read transaction's lock, so that its context cannot register it again in
      // between.
      transaction.surrender(ifUnusedFor: nanoseconds) { give($0, from: transaction) }
    }
  }

  // MARK: Query generations

  /// A connection without a transaction. The pool does not take it back by itself.
  /// - Throws: 134070 when there are as many as may be, or the store is closed.
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

  /// Takes the connection of a generation back that is over. What it was in the way of is done soon.
  func give(_ connection: SQLiteConnection, from reader: PinnedReader) {
    condition.withLock {
      pinned[ObjectIdentifier(reader)] = nil
      if policy.unpin(connection, of: connection.poolDatabase, from: ObjectIdentifier(reader)) == .kept {
        condition.signal()
      }
      if !policy.isClosed, policy.setsReaper() { setReaper() }
    }
  }

  /// The oldest commit that a reader may be at; the greatest number when there is no reader.
  func oldestCommit() -> UInt64 {
    // A read transaction that is here and has no commit is about to begin, or to end; so is the reader of a generation that goes.
    let transactions = registered().map { $0.pinnedCommit == .max ? 0 : $0.pinnedCommit }
    let pinned = condition.withLock { self.pinned.values.map(\.reader) }.map { $0?.commit ?? 0 }
    return (transactions + pinned).min() ?? .max
  }

  /// The read transactions that have a connection. The caller must release them outside of the lock: it may have the last
  /// reference to one of them, and a read transaction that is released gives its connection back.
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

  /// Opens connections to another database from now on; those that are in use at this moment are closed when they are
  /// given back.
  func reopen(_ open: @escaping () throws -> SQLiteConnection) {
    takeBackIdle()
    condition.withLock {
      self.open = open
      policy.changeDatabase()
    }
  }

  /// Closes the connections that are here, and the others as they come back.
  func close() {
    takeBackIdle()
    let pinned = condition.withLock {
      policy.close()
      return self.pinned.values.map(\.reader)
    }
    for reader in pinned { reader?.end() }
  }

  /// Keeps a transaction that has a connection, so that it can be asked to end. Called under the lock.
  private func note(_ transaction: SQLiteReadTransaction) {
    transactions[ObjectIdentifier(transaction)] = WeakTransaction(transaction: WeaklyReferring(transaction))
    if policy.setsReaper() { setReaper() }
  }

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
    whenReaped?()
    if isIdle { whenIdle?() }
  }
}
