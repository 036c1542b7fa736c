import CSQLite
import Foundation

// Checkpoints, which keep the write-ahead log short. At a commit, SQLite copies the log into the file as far as no reader
// prevents that. This extension copies the rest when the readers have left.
extension SQLiteStore {
  /// The length in bytes from which a commit takes back the connections of idle readers.
  private static let longLog = 64 << 20
  /// The length in bytes that a log may keep when nobody reads any more.
  private static let shortLog = 4 << 20

  private var logBytes: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Called after a commit. If the log has grown long, takes back the connections of idle readers and copies the log into the
  /// file.
  func checkpointIfLong() {
    guard commitsUntilLook.wrappingSubtract(1, ordering: .relaxed).newValue <= 0 else { return }
    commitsUntilLook.store(64, ordering: .relaxed)
    guard logBytes > Self.longLog else { return }
    readers.takeBackIdle()
    checkpoint()
    checkpointIsDue.store(true, ordering: .relaxed)
  }

  /// Called before a query generation begins. If a commit has found the log long, copies the log into the file and empties
  /// it.
  ///
  /// A generation that has just ended may have kept the log from being copied, and a generation that begins before everything
  /// is copied keeps it from being emptied. So this is the moment at which the log can begin anew for a context that moves
  /// from one generation to the next without a pause.
  func checkpointIfDue() {
    guard checkpointIsDue.exchange(false, ordering: .relaxed) else { return }
    // Nothing is gained while somebody saves: the save makes the log longer and then looks at its length again.
    writer.withFreeConnection { emptyLog($0) }
  }

  /// Called when the last reader has left, also after the end of a query generation. Copies the log into the file and empties
  /// it.
  func checkpointWhenIdle() {
    guard !isReadOnly, logBytes > Self.shortLog else { return }
    try? writer.withConnection { emptyLog($0) }
  }

  private func emptyLog(_ connection: SQLiteConnection) {
    // Does not wait for those that still read: they may be generations, or another process.
    sqlite3_busy_timeout(connection.handle, 0)
    defer { connection.waitForLocks(timeout) }
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func checkpoint() {
    // If another connection prevents the checkpoint, a later commit makes it.
    _ = try? writer.withConnection { try $0.rows("PRAGMA wal_checkpoint(PASSIVE)") }
  }
}
