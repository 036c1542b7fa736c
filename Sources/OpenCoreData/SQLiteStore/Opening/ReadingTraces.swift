import CSQLite
import Foundation

/// The files that SQLite makes beside a database in WAL mode, even for a reader.
///
/// A reader cannot remove them when it closes, since that needs a lock for writing. But opening a store for reading only must
/// not change its folder. So this type removes them, if no other program has the database open.
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

  /// Removes the files that did not exist before, after every connection was closed. A log with contents stays.
  func remove() {
    let hasLog = !hadLog && FileManager.default.fileExists(atPath: path + "-wal")
    let hasIndex = !hadIndex && FileManager.default.fileExists(atPath: path + "-shm")
    // The connection has exclusive use of the file, and its index in memory, so no other program begins to use these files in
    // the meantime.
    guard hasLog || hasIndex, let alone = try? StoreInspection.openAlone(path) else { return }
    withExtendedLifetime(alone) {
      if hasLog, StoreInspection.size(path + "-wal") == 0 { unlink(path + "-wal") }
      if hasIndex { unlink(path + "-shm") }
    }
  }
}
