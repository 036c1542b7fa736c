import CSQLite
import Foundation

/// The files that SQLite makes beside a database in WAL mode even for a reader.
///
/// A reader cannot remove them when it closes, since that takes a lock for writing. A store that is opened for reading
/// only leaves its folder as it was, so they are removed here, if nobody else has the database open.
struct ReadingTraces {
  private let path: String
  private let hadLog: Bool
  private let hadIndex: Bool

  /// Looks at what is there before the database is opened.
  init(before path: String) {
    self.path = path
    hadLog = FileManager.default.fileExists(atPath: path + "-wal")
    hadIndex = FileManager.default.fileExists(atPath: path + "-shm")
  }

  /// Removes what was not there before, once every connection is closed. A log with something in it stays.
  func remove() {
    let hasLog = !hadLog && FileManager.default.fileExists(atPath: path + "-wal")
    let hasIndex = !hadIndex && FileManager.default.fileExists(atPath: path + "-shm")
    // The connection has the file for itself, and its index in memory: nobody comes to use these files meanwhile.
    guard hasLog || hasIndex, let alone = try? StoreInspection.openAlone(path) else { return }
    withExtendedLifetime(alone) {
      if hasLog, StoreInspection.size(path + "-wal") == 0 { unlink(path + "-wal") }
      if hasIndex { unlink(path + "-shm") }
    }
  }
}
