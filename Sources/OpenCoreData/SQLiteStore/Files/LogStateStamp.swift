import Foundation

/// A stamp that differs between two states of SQLite's write-ahead log.
enum LogStateStamp {
  /// An empty log has no stamp: opening the store already creates one.
  /// - Parameter path: that of the store.
  static func text(_ path: String) -> String {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return "-" }
    return "\(status.st_size) \(index(path + "-shm"))"
  }

  /// The header of SQLite's index of the write-ahead log, which every commit changes.
  private static func index(_ path: String) -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { return "-" }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 48))?.base64EncodedString() ?? "-"
  }
}
