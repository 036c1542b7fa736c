import Foundation
import Synchronization

/// A read transaction that stays open as long as a query generation needs it.
///
/// The contexts that are pinned to one generation share its reader, and read one after another. While the transaction is
/// open, SQLite cannot begin the write-ahead log anew, and the files of external values that the transaction may still read
/// are kept.
final class PinnedReader: GenerationReader, @unchecked Sendable {  // the connection belongs to `lock`
  private let lock = NSLock()
  private let readers: ReaderPool
  private let entityCount: Int
  private var connection: SQLiteConnection?
  private let readCommit = Atomic<UInt64>(0)
  private let own = Mutex<RowCache?>(nil)

  /// The limit in bytes of the rows that a generation keeps in its own row cache while no object uses them.
  private static let byteLimit = 64 << 20

  /// Begins a read transaction at the latest commit.
  /// - Throws: 134070 if the store has as many generations as it may have; the error of opening a connection.
  init(_ store: SQLiteStore) throws {
    readers = store.readers
    entityCount = store.model.entities.count
    store.checkpointIfDue()
    let taken = try store.readers.take(for: self)
    connection = taken
    // More attempts than for a single read: if the commit is unknown, the rows are not shared with other contexts as long as
    // the generation lives.
    readCommit.store(try store.beginRead(taken, attempts: 100), ordering: .releasing)
  }

  deinit { end() }

  /// The commit at which the transaction reads; 0 until the transaction has begun, and if the commit could not be told.
  var commit: UInt64 { readCommit.load(ordering: .acquiring) }

  /// Runs `body` in the transaction.
  /// - Throws: 134070 if the store has been removed from its coordinator.
  func read<Result>(_ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    guard let connection else { throw Self.overError }
    return try body(connection, commit)
  }

  /// Ends the transaction. Later reads throw.
  func end() {
    lock.lock()
    let ended = connection
    connection = nil
    lock.unlock()
    guard let ended else { return }
    // If COMMIT fails, the read transaction has ended already.
    try? ended.statement("COMMIT").run()
    readers.give(ended, from: self)
  }

  static var overError: NSError {
    NSError(
      coreData: NSPersistentStoreOperationError,
      "The query generation is over: its store has been removed from its coordinator.")
  }

  // MARK: Rows

  /// The rows that the coordinator's row cache does not take because it is at a later commit; nil as long as there are none.
  var ownRows: RowCache? { own.withLock { $0 } }

  func makeOwnRows() -> RowCache {
    own.withLock { own in
      if let own { return own }
      let made = RowCache(entityCount: entityCount, byteLimit: Self.byteLimit, floor: 0)
      own = made
      return made
    }
  }
}
