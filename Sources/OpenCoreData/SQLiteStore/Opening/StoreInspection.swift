import CSQLite
import Foundation

/// Opens a database to read it, without changing a byte of it or of its folder, except to undo a commit in the middle of
/// which a process has died.
///
/// SQLite creates files beside a database in WAL mode even for a reader, and moves the log into the database when the last
/// connection closes. Neither may happen to a file that turns out to be no store, or a store of another model.
enum StoreInspection {
  /// Returns a connection for reading.
  /// - Throws: an error with path, reason and the code for the kind of file; 134090 if the file stays locked.
  static func open(_ path: String, timeout: TimeInterval) throws -> SQLiteConnection {
    if size(path + "-journal") > 0 {
      // A process has died in the middle of a commit. SQLite must undo the commit before anything can be read.
      return try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    }
    if !FileManager.default.fileExists(atPath: path + "-shm") {
      // If the database is not in WAL mode, SQLite creates no files to read it, and its lock keeps others from writing
      // meanwhile.
      guard try StoreFileHeader.isInLogMode(path) else {
        return try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
      }
      if size(path + "-wal") == 0 {
        return try SQLiteConnection(
          path: path, readOnly: true, create: false, immutable: true, timeout: timeout, pragmas: [])
      }
      if let alone = try? openAlone(path) { return alone }
    } else if let untouched = try? openWithIndex(path, timeout: timeout) {
      return untouched
    }
    // Another connection has the database open, or has left a log and its index. Then opening the database for reading
    // creates no new files.
    return try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
  }

  /// Whether the database is in WAL mode with an empty log, in a folder in which SQLite cannot create the files that it needs
  /// beside the database, such as an application's bundle. Nobody with the same rights can write to such a database either.
  static func isInReadOnlyFolder(_ path: String, timeout: TimeInterval) -> Bool {
    guard size(path + "-wal") == 0 else { return false }
    do {
      let connection = try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
      _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
      return false
    } catch {
      return SQLiteError.has(error, code: SQLITE_CANTOPEN) || SQLiteError.has(error, code: SQLITE_READONLY)
    }
  }

  /// Returns a connection to a store, and the store's metadata.
  /// - Throws: 260 if there is no file, 259 if it is not a store, 256 if it cannot be opened, 134090 if it stays locked.
  static func open(storeAt url: URL, timeout: TimeInterval) throws -> (SQLiteConnection, StoreMetadata) {
    let files = try StoreFiles(url)
    try files.requireFile()
    try StoreFileHeader.check(files.path)
    let connection = try open(files.path, timeout: timeout)
    guard let metadata = try StoreMetadata(connection) else {
      let isEmpty = try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
      throw files.corrupt(isEmpty ? "it was destroyed or never filled" : "it has no metadata")
    }
    return (connection, metadata)
  }

  /// Returns a connection from which the store can be copied while others read and write.
  ///
  /// The connection takes part in SQLite's locking, so it creates a log if there is none, and removes the log when it is
  /// closed. A file that may not be written is read by `open(_:timeout:)`.
  static func openToCopy(_ path: String, timeout: TimeInterval) throws -> SQLiteConnection {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else { return try open(path, timeout: timeout) }
    return try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
  }

  /// Opens a database that has a log without an index. Because nobody else has it open, the index can be kept in memory, and
  /// the log stays as it is.
  static func openAlone(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, readOnly: false, create: false, timeout: 0, pragmas: [("locking_mode", "EXCLUSIVE")])
    _ = csqlite_keep_log_on_close(connection.handle)
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
    return connection
  }

  /// Opens a database that has a log and an index without writing to the index: a normal reader would note its place there,
  /// or write a stale index anew.
  private static func openWithIndex(_ path: String, timeout: TimeInterval) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, readOnly: true, create: false, readOnlyIndex: true, timeout: timeout, pragmas: [])
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
    return connection
  }

  static func size(_ path: String) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0
  }
}
