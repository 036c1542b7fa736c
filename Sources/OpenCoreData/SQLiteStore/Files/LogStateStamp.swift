import CSQLite
import Foundation

/// A stamp that differs between two states of SQLite's write-ahead log.
enum LogStateStamp {
  /// The bytes of the header of SQLite's index of the log, which every commit changes.
  private static let headerSize = 48

  /// Returns the stamp. An empty log has the same stamp as a missing one, because opening the store creates an empty log.
  /// - Parameter path: the path of the store's file.
  static func text(_ path: String) -> String {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return "-" }
    return "\(status.st_size) \(index(path) ?? "-")"
  }

  /// Returns the header of SQLite's index of the log (-shm).
  ///
  /// It is read through SQLite: if this process opened and closed the index by itself, the system would release the locks
  /// that its connections have there, and others would begin the log anew while they read in it.
  private static func index(_ path: String) -> String? {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard (try? SQLiteConnection.checkBesides(path)) != nil,
      sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
      // SQLite opens the index with the first read.
      sqlite3_exec(handle, "SELECT COUNT(*) FROM sqlite_master", nil, nil, nil) == SQLITE_OK
    else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    return Data(bytes: region, count: headerSize).base64EncodedString()
  }
}
