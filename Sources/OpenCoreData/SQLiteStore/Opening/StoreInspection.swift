import CSQLite
import Foundation

/// Opens a database to look at it, without changing any byte of it and of its folder.
///
/// SQLite makes files beside a database in WAL mode even for a reader, and moves the log into the database when the last
/// connection closes. Neither may happen to a file that turns out to be no store, or to have another model.
enum StoreInspection {
  /// A connection to look with.
  /// - Throws: the code for what the file is, with path and reason; 134090 when it stays locked.
  static func open(_ path: String, timeout: TimeInterval) throws -> SQLiteConnection {
    if size(path + "-journal") > 0 {
      // A process ended in the middle of a commit. SQLite must roll that back before anything can be read.
      return try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    }
    if !FileManager.default.fileExists(atPath: path + "-shm") {
      // Without a log SQLite reads without making files, and takes the lock that keeps others from writing in the meantime.
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
    // Another connection has the database open, or has left a log and its index behind: opening for reading creates no
    // new files then.
    return try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
  }

  /// Whether the database is in WAL mode with an empty log, in a folder where SQLite cannot make the files that it needs
  /// beside it, such as an application's bundle. Only programs with more rights can write such a database.
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

  /// A connection to a store, with what the store says about itself.
  /// - Throws: 260 where there is no file, 259 if it is not a store, 256 if it cannot be opened, 134090 if it stays locked.
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

  /// Returns a connection to copy from while others read and write.
  ///
  /// The connection takes part in SQLite's locking, so it creates a log if there is none, and removes it when it is closed. A
  /// file that may not be written is read without that.
  static func openToCopy(_ path: String, timeout: TimeInterval) throws -> SQLiteConnection {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(path, W_OK) == 0, access(folder, W_OK) == 0 else { return try open(path, timeout: timeout) }
    return try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
  }

  /// Opens a database with a log but without an index. If no other program uses it, the index can be kept in memory, and the
  /// log does not change.
  static func openAlone(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path, readOnly: false, create: false, timeout: 0, pragmas: [("locking_mode", "EXCLUSIVE")])
    _ = csqlite_keep_log_on_close(connection.handle)
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
    return connection
  }

  /// A log with its index, which a reader would otherwise note its place in, or write anew where it is stale.
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
