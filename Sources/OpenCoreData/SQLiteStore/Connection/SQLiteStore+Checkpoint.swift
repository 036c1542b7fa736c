import CSQLite
import Foundation

// Keeping the write-ahead log short. SQLite copies it into the file at a commit, as far as no reader is in the way; what
// is added here is what happens when readers were, and when they leave.
extension SQLiteStore {
  /// A log of this many bytes makes a commit ask idle readers for their connections.
  private static let longLog = 64 << 20
  /// What a log may keep when nobody reads any more.
  private static let shortLog = 4 << 20

  private var logBytes: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// After a commit: takes idle readers' connections back once the log has grown long, and copies it into the file.
  func checkpointIfLong() {
    guard commitsUntilLook.wrappingSubtract(1, ordering: .relaxed).newValue <= 0 else { return }
    commitsUntilLook.store(64, ordering: .relaxed)
    guard logBytes > Self.longLog else { return }
    readers.takeBackIdle()
    checkpoint()
    checkpointIsDue.store(true, ordering: .relaxed)
  }

  /// Before a query generation begins, once a commit has found the log long: a generation that ended just now may have been
  /// in the way of its copying, and one that begins before all is copied is in the way of the next. So a context that moves
  /// from one to the next without a pause lets the log start again here.
  func checkpointIfDue() {
    guard checkpointIsDue.exchange(false, ordering: .relaxed) else { return }
    // While somebody saves there is nothing to be won: that save makes the log longer and looks at it again.
    writer.withFreeConnection { emptyLog($0) }
  }

  /// When the last reader has left, and after the end of a query generation: copies what is in the log into the file, and
  /// empties the log.
  func checkpointWhenIdle() {
    guard !isReadOnly, logBytes > Self.shortLog else { return }
    try? writer.withConnection { emptyLog($0) }
  }

  private func emptyLog(_ connection: SQLiteConnection) {
    // Whoever still reads is not waited for: that may be a generation, or another process.
    sqlite3_busy_timeout(connection.handle, 0)
    defer { connection.waitForLocks(timeout) }
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func checkpoint() {
    // A checkpoint that somebody is in the way of is made at a later commit.
    _ = try? writer.withConnection { try $0.rows("PRAGMA wal_checkpoint(PASSIVE)") }
  }
}
