import Foundation
import Synchronization

/// A read transaction that stays open as long as a query generation needs it.
///
/// Contexts that are pinned to one generation share it, one read at a time. While it is open the write-ahead log cannot be
/// reused from its beginning, and files of external values stay that it may come upon.
final class PinnedReader: GenerationReader, @unchecked Sendable {  // the connection belongs to `lock`
  private let lock = NSLock()
  private let readers: ReaderPool
  private let entityCount: Int
  private var connection: SQLiteConnection?
  private let readCommit = Atomic<UInt64>(0)
  private let own = Mutex<RowCache?>(nil)

  /// The bytes of rows that a generation keeps for itself while no object points to them.
  private static let byteLimit = 64 << 20

  /// Begins at the latest commit.
  /// - Throws: 134070 when the store has as many generations as it may; what opening a connection throws.
  init(_ store: SQLiteStore) throws {
    readers = store.readers
    entityCount = store.model.entities.count
    store.checkpointIfDue()
    let taken = try store.readers.take(for: self)
    connection = taken
    // More attempts are made than for a single read, because rows that are read at an unknown commit are not shared with
    // other contexts.
    readCommit.store(try store.beginRead(taken, attempts: 100), ordering: .releasing)
  }

  deinit { end() }

  /// The commit that is read at; 0 until the transaction has begun, and where that could not be told.
  var commit: UInt64 { readCommit.load(ordering: .acquiring) }

  /// Runs `body` in the transaction.
  /// - Throws: 134070 when the store was removed from its coordinator.
  func read<Result>(_ body: (SQLiteConnection, UInt64) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    guard let connection else { throw Self.overError }
    return try body(connection, commit)
  }

  /// Ends the transaction; nothing can be read any more.
  func end() {
    lock.lock()
    let ended = connection
    connection = nil
    lock.unlock()
    guard let ended else { return }
    // A read transaction that cannot end has ended already.
    try? ended.statement("COMMIT").run()
    readers.give(ended, from: self)
  }

  static var overError: NSError {
    NSError(
      coreData: NSPersistentStoreOperationError,
      "The query generation is over: its store has been removed from its coordinator.")
  }

  // MARK: Rows

  /// Rows that the coordinator's cache does not take, since it is at a later commit; nil as long as there are none.
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
