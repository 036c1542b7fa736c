import CSQLite
import Foundation
import Synchronization

/// The one connection that writes, and its lock.
final class StoreWriter: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSRecursiveLock()
  private var connection: SQLiteConnection?
  /// Decides which numbers the next three properties show to readers, and whether others have committed.
  private var freshness = OneWriterFreshness()
  private let begun = Atomic<Int>(0)
  private let finished = Atomic<Int>(0)
  private let current = Atomic<Int>(OneWriterFreshness.noTransaction)
  private var whenCommitted: (@Sendable () -> Void)?
  /// Called before a commit that waits for readers; set once, before the first transaction.
  var willCommit: (@Sendable () -> Void)?
  /// Called under the lock when others have committed; set once.
  var othersHaveCommitted: (@Sendable () -> Void)?
  /// Whether somebody has asked, while the lock was taken, whether others have committed.
  private let isAsked = Atomic(false)

  /// Keeps the files of external values; nil if the store has none. It changes only with the connection.
  @exclusivity(unchecked) private(set) var external: ExternalWriter?

  init(_ connection: SQLiteConnection, external: ExternalWriter? = nil) {
    self.connection = connection
    self.external = external
  }

  /// How many commits have begun; incremented before SQLite makes a commit visible.
  var commitsBegun: Int { begun.load(ordering: .acquiring) }

  /// How many commits are over; incremented after the rows of a commit have been published.
  var commitsFinished: Int { finished.load(ordering: .acquiring) }

  /// The number of the transaction that writes at this moment. It is 0 if there is none, before the transaction has noticed
  /// the commits of others, and from the moment when the transaction's own commit begins.
  var transactionNumber: Int { current.load(ordering: .acquiring) }

  /// Runs `body` with the connection, under the lock.
  func withConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    lock.lock()
    defer { unlock() }
    guard let connection else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store has been removed from its coordinator.")
    }
    return try body(connection)
  }

  /// Runs `body` with the connection, under the lock; does nothing if the lock is taken or the connection is closed.
  func withFreeConnection(_ body: (SQLiteConnection) -> Void) {
    guard lock.try() else { return }
    defer { unlock() }
    if let connection { body(connection) }
  }

  /// Runs `body` in a transaction that is rolled back if `body` throws, and then `publish` with the result of `body`.
  ///
  /// Calls `othersHaveCommitted` first if others have committed since the last time. A commit is published before the next
  /// transaction begins: otherwise an older row could come into the row cache after a newer one.
  func transaction<Written, Result>(
    _ body: (SQLiteConnection) throws -> Written, publish: (Written) -> Result
  ) throws -> Result {
    defer { external?.removeUnused(self) }
    return try withConnection { connection in
      if connection.isInTransaction { throw Self.isWriting(connection) }
      try connection.statement(.begin).run()
      var isCommitting = false
      do {
        try connection.checkIsInPlace()
        if try notice(connection) { othersHaveCommitted?() }
        current.store(freshness.beginTransaction(), ordering: .releasing)
        connection.touchedRows.removeAll()
        let written = try body(connection)
        try external?.willCommit(connection)
        willCommit?()
        isCommitting = true
        current.store(OneWriterFreshness.noTransaction, ordering: .releasing)
        // The number must be visible before COMMIT makes the rows visible; with a weaker memory order it might become visible
        // after that.
        begun.store(freshness.beginCommit(), ordering: .sequentiallyConsistent)
        defer { finished.store(freshness.endCommit(), ordering: .sequentiallyConsistent) }
        try connection.statement(.commit).run()
        whenCommitted?()
        let result = publish(written)
        external?.didCommit()
        return result
      } catch {
        current.store(OneWriterFreshness.noTransaction, ordering: .releasing)
        // The keys may have been reserved in the transaction that is rolled back.
        connection.forgetKeys()
        // SQLite may have rolled back by itself; then this statement fails and there is nothing left to undo.
        try? connection.statement(.rollback).run()
        external?.didRollBack(mayBeCommitted: isCommitting && SQLiteError.leavesOpen(error))
        throw error
      }
    }
  }

  /// Returns the error for a write from inside this thread's own transaction, by the handler of a batch insert.
  private static func isWriting(_ connection: SQLiteConnection) -> NSError {
    NSError(
      coreData: NSPersistentStoreSaveError,
      "The store at \(connection.path) cannot be written from inside a batch insert's handler.",
      [NSFilePathErrorKey: connection.path])
  }

  /// Returns whether others have committed since the last call; nil while another thread has the connection, for a save for
  /// instance. That thread then asks when it releases the lock: the rows that its save puts into the row cache may be older
  /// than those that others have written meanwhile.
  ///
  /// `othersHaveCommitted` is called under the lock, because the next call returns false and the cache must be empty by then.
  func seesForeignCommit() -> Bool? {
    // The mark is set before the lock is tried: the thread that has the lock might release it between the two steps.
    isAsked.store(true, ordering: .sequentiallyConsistent)
    guard lock.try() else { return nil }
    isAsked.store(false, ordering: .sequentiallyConsistent)
    defer { unlock() }
    guard let connection else { return false }
    guard let isForeign = try? notice(connection) else { return nil }
    if isForeign { othersHaveCommitted?() }
    return isForeign
  }

  /// Releases the lock, and then looks for commits of others if somebody has asked meanwhile. That look leaves no mark
  /// itself: otherwise two threads could answer each other without end.
  private func unlock() {
    lock.unlock()
    while isAsked.load(ordering: .sequentiallyConsistent), lock.try() {
      isAsked.store(false, ordering: .sequentiallyConsistent)
      if let connection, (try? notice(connection)) == true { othersHaveCommitted?() }
      lock.unlock()
    }
  }

  /// Sets a handler that is called after every commit, under the lock. The handler must not wait for anything.
  func observeCommits(_ handler: @escaping @Sendable () -> Void) {
    lock.lock()
    whenCommitted = handler
    lock.unlock()
  }

  /// Runs `body` while no other thread or process can write to the store.
  func withoutOthers<Result>(_ body: () throws -> Result) throws -> Result {
    try withConnection { connection in
      try connection.statement(.begin).run()
      defer { try? connection.statement(.rollback).run() }
      return try body()
    }
  }

  /// Writes to another database from now on, over `connection`.
  /// - Parameter external: keeps that database's files of external values. It differs from the present one only in a store
  ///   that no other thread uses.
  func exchange(_ connection: SQLiteConnection, external: ExternalWriter?) {
    lock.withLock {
      self.connection = connection
      if self.external !== external { self.external = external }
      freshness.changeConnection()
    }
  }

  func close() {
    lock.lock()
    connection?.returnKeys()
    connection = nil
    lock.unlock()
  }

  /// Returns whether others have committed since the last call.
  private func notice(_ connection: SQLiteConnection) throws -> Bool {
    let version = try connection.integer(of: connection.statement(.dataVersion)) ?? 0
    guard freshness.look(version) == .forgetEverything else { return false }
    // Another file may have replaced the one in which the keys were reserved.
    connection.forgetKeys()
    return true
  }
}
