import CSQLite
import Foundation

/// The files that SQLite creates beside a database in WAL mode even for a reader.
///
/// A reader cannot remove them when it closes, because that takes a lock for writing. Opening a store read-only must leave
/// its folder as it was, so the files are removed here if nobody else has the database open.
struct ReadingTraces {
  private let path: String
  private let hadLog: Bool
  private let hadIndex: Bool

  /// Notes which files exist before the database is opened.
  init(before path: String) {
    self.path = path
    hadLog = FileManager.default.fileExists(atPath: path + "-wal")
    hadIndex = FileManager.default.fileExists(atPath: path + "-shm")
  }

  /// Removes the files that did not exist before. Called when all connections are closed. A log that is not empty stays.
  func remove() {
    let hasLog = !hadLog && FileManager.default.fileExists(atPath: path + "-wal")
    let hasIndex = !hadIndex && FileManager.default.fileExists(atPath: path + "-shm")
    // This connection locks the file for itself alone and keeps its index in memory, so nobody begins to use the two files
    // meanwhile.
    guard hasLog || hasIndex, let alone = try? StoreInspection.openAlone(path) else { return }
    withExtendedLifetime(alone) {
      if hasLog, StoreInspection.size(path + "-wal") == 0 { unlink(path + "-wal") }
      if hasIndex { unlink(path + "-shm") }
    }
  }
}
