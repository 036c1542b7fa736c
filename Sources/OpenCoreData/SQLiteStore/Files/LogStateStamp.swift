import Foundation

/// A stamp that differs between two states of SQLite's write-ahead log.
enum LogStateStamp {
  /// Returns the stamp. An empty log has the same stamp as a missing one, because opening the store creates an empty log.
  /// - Parameter path: the path of the store's file.
  static func text(_ path: String) -> String {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return "-" }
    return "\(status.st_size) \(index(path + "-shm"))"
  }

  /// Returns the header of SQLite's index of the write-ahead log (-shm), which every commit changes.
  private static func index(_ path: String) -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { return "-" }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 48))?.base64EncodedString() ?? "-"
  }
}
