import CSQLite
import Foundation

// Keeps the write-ahead log short. At a commit SQLite copies the log into the file, as far as no reader prevents it. This
// code handles the case that readers have prevented it, and the moment when they leave.
extension SQLiteStore {
  /// A log of this many bytes makes a commit ask idle readers for their connections.
  private static let longLog = 64 << 20
  /// The length that a log may keep when there are no readers any more, in bytes.
  private static let shortLog = 4 << 20

  private var logBytes: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Called after a commit. If the log has grown long, takes idle readers' connections back, and copies the log into the
  /// file.
  func checkpointIfLong() {
    guard commitsUntilLook.wrappingSubtract(1, ordering: .relaxed).newValue <= 0 else { return }
    commitsUntilLook.store(64, ordering: .relaxed)
    guard logBytes > Self.longLog else { return }
    readers.takeBackIdle()
    checkpoint()
    checkpointIsDue.store(true, ordering: .relaxed)
  }

  /// Called before a query generation begins, after a commit has found the log long. A generation that has just ended may
  /// have prevented the copying, and one that begins before everything is copied prevents the next copying. So this lets the
  /// log start again for a context that moves from one generation to the next without a pause.
  func checkpointIfDue() {
    guard checkpointIsDue.exchange(false, ordering: .relaxed) else { return }
    // If a save is running, it is not waited for, because that save makes the log longer and checks it again.
    writer.withFreeConnection { emptyLog($0) }
  }

  /// Called when the last reader has left, and after the end of a query generation. Copies the log into the file, and empties
  /// the log.
  func checkpointWhenIdle() {
    guard !isReadOnly, logBytes > Self.shortLog else { return }
    try? writer.withConnection { emptyLog($0) }
  }

  private func emptyLog(_ connection: SQLiteConnection) {
    // The checkpoint does not wait for remaining readers: they may be generations, or other processes.
    sqlite3_busy_timeout(connection.handle, 0)
    defer { connection.waitForLocks(timeout) }
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func checkpoint() {
    // A checkpoint that is prevented now is made after a later commit.
    _ = try? writer.withConnection { try $0.rows("PRAGMA wal_checkpoint(PASSIVE)") }
  }
}
