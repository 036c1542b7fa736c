import CSQLite
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// A context's read transaction on a SQLite store, on a connection of the pool.
///
/// The pool may take the connection back if the context has not read for a while; only then do two threads use this object. A
/// context that is pinned to a query generation has no transaction of its own and reads in the generation's.
final class SQLiteReadTransaction: ReadTransaction, @unchecked Sendable {  // what is not the queue's belongs to `lock`
  private let lock = NSLock()
  private let store: SQLiteStore
  @exclusivity(unchecked) private var connection: SQLiteConnection?
  @exclusivity(unchecked) private var commit: UInt64 = 0 {
    didSet { pinnedCommit = commit }
  }
  @exclusivity(unchecked) private var lastUse: UInt64 = 0
  private static let transactions = Atomic<UInt64>(0)
  /// The reader of the generation to which the context is pinned. Like `pinsAtNextRead`, it is used on the context's queue
  /// alone.
  @exclusivity(unchecked) private var reader: PinnedReader?
  /// Whether the next read pins the context to a query generation.
  @exclusivity(unchecked) private var pinsAtNextRead = false

  init(store: SQLiteStore, context: NSManagedObjectContext) {
    self.store = store
    super.init(context: context)
  }

  deinit {
    guard let connection else { return }
    giveBack(connection)
  }

  /// Runs `body` in the transaction, with the commit to which its reads belong.
  /// - Parameter latest: whether the reads must see everything that has been committed so far.
  fileprivate func readHere<Result>(latest: Bool, _ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result
  {
    if pinsAtNextRead { try context?.pinQueryGeneration() }
    if let reader { return try reader.read(body) }
    lock.lock()
    defer {
      lastUse = DispatchTime.now().uptimeNanoseconds
      lock.unlock()
    }
    if latest, let connection {
      do {
        begin(at: try store.beginReadAgain(connection))
      } catch {
        // There may be no transaction any more, so the next read begins a new one.
        self.connection = nil
        pinnedCommit = .max
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
      pinnedCommit = .max
      giveBack(taken)
      throw error
    }
    connection = taken
    return try body(taken, commit)
  }

  override func refresh() throws -> Bool {
    try readHere(latest: true) { _, _ in }
    return true
  }

  private func begin(at commit: UInt64) {
    self.commit = commit
    number = Self.transactions.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Ends the transaction and gives the connection back. Does nothing if the context is pinned to a generation.
  override func end() {
    if isPinned { return }
    endTransaction()
  }

  private func endTransaction() {
    lock.lock()
    let ended = connection
    connection = nil
    pinnedCommit = .max
    lock.unlock()
    if let ended { giveBack(ended) }
  }

  /// Ends the transaction and gives the connection to `accept`, under the lock. Returns false, and does nothing, if the
  /// transaction is in use or has been used in the last `nanoseconds`.
  @discardableResult
  func surrender(ifUnusedFor nanoseconds: UInt64, to accept: (SQLiteConnection) -> Void) -> Bool {
    guard lock.try() else { return false }
    defer { lock.unlock() }
    guard let surrendered = connection, DispatchTime.now().uptimeNanoseconds - lastUse >= nanoseconds else {
      return false
    }
    connection = nil
    pinnedCommit = .max
    finish(surrendered)
    accept(surrendered)
    return true
  }

  private func giveBack(_ connection: SQLiteConnection) {
    finish(connection)
    store.readers.give(connection, from: self)
  }

  private func finish(_ connection: SQLiteConnection) {
    // If COMMIT fails, the read transaction has ended already.
    try? connection.statement("COMMIT").run()
  }

  // MARK: Query generations, on the context's queue

  /// Reads in a query generation from now on, or no longer. Does nothing if the store has no generations.
  override func follow(_ pin: QueryGenerationPin) {
    guard store.can(.generations) else { return }
    endTransaction()
    reader = nil
    pinsAtNextRead = false
    number = 0
    switch pin {
    case .unpinned: break
    case .current:
      pinsAtNextRead = true
      pinnedCommit = 0
    case .generation(let generation):
      reader = generation.reader(for: store) as? PinnedReader
      if let reader { pinnedCommit = reader.commit }
    }
    isPinned = reader != nil || pinsAtNextRead
    ownRows = reader?.ownRows
  }

  override func makeOwnRows() -> RowCache? { reader?.makeOwnRows() }
}

extension ReadTransaction {
  /// Runs `body` in the transaction of a SQLite store, with the commit to which its reads belong.
  /// - Parameter latest: whether the reads must see everything that has been committed so far.
  @inline(__always)
  final func read<Result>(latest: Bool, _ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result {
    guard let own = self as? SQLiteReadTransaction else {
      raise(.internalInconsistency, "Only a SQLite store has read transactions.")
    }
    return try own.readHere(latest: latest, body)
  }
}
