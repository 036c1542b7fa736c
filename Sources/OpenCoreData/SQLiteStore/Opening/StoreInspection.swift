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
      // A process has died in the middle of a commit. SQLite must undo the commit before anything can be read. Where the
      // journal could not be removed afterwards, SQLite would undo the commit again and again.
      let canUndo = ReadingCopy.canBeWritten(path)
      return try openOrCopy(path, timeout: timeout) {
        try SQLiteConnection(path: path, readOnly: !canUndo, create: false, timeout: timeout, pragmas: [])
      }
    }
    let logSize = size(path + "-wal")
    let hasIndex = FileManager.default.fileExists(atPath: path + "-shm")
    // SQLite uses a log even if the database's header says that it is not in WAL mode.
    guard try logSize > 0 || StoreFileHeader.isInLogMode(path) else {
      // SQLite creates no files to read such a database, and its lock keeps others from writing meanwhile.
      return try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
    }
    // Whoever has the database open has a log, though it may be empty. An index without a log was left behind.
    if logSize == 0, !hasIndex || !FileManager.default.fileExists(atPath: path + "-wal") {
      return try SQLiteConnection(
        path: path, readOnly: true, create: false, immutable: true, timeout: timeout, pragmas: [])
    }
    if hasIndex {
      if let untouched = try? openWithIndex(path, timeout: timeout) { return untouched }
    } else {
      do {
        return try openOrCopy(path, timeout: timeout) { try openAlone(path) }
      } catch  where SQLiteError.has(error, code: SQLITE_BUSY) {
        // Another connection has opened the database meanwhile.
      }
    }
    // Another connection has the database open, or has left a log and its index. Then opening the database for reading
    // creates no new files.
    return try openOrCopy(path, timeout: timeout) {
      try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
    }
  }

  /// Returns the connection that `open` makes or, where SQLite cannot read the database because the file or its folder may
  /// not be written, one to a private copy.
  private static func openOrCopy(
    _ path: String, timeout: TimeInterval, _ open: () throws -> SQLiteConnection
  ) throws -> SQLiteConnection {
    do {
      let connection = try open()
      _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
      return connection
    } catch  where SQLiteError.isForbidden(error) && ReadingCopy.isNeeded(path) {
      return try SQLiteConnection(
        path: path, readOnly: true, create: false, copy: ReadingCopy(of: path), timeout: timeout, pragmas: [])
    }
  }

  /// How a database is opened that is only read for as long as it is open.
  enum ReadingPlace {
    /// Where it is, beside others who read and write.
    case shared
    /// Where it is, without the files that SQLite needs beside a database in WAL mode, since its folder does not take them.
    /// Nobody with the same rights can write to such a database either.
    case immutable
    /// A private copy, since there is a log or a journal as well.
    case copy(ReadingCopy)

    var isImmutable: Bool { if case .immutable = self { true } else { false } }
    var copy: ReadingCopy? { if case .copy(let copy) = self { copy } else { nil } }
  }

  /// Returns how a database is to be opened that is only read for as long as it is open. Its folder may not be one that can be
  /// written, such as an application's bundle or a mounted backup.
  /// - Parameter copy: a private copy that was just made.
  static func readingPlace(_ path: String, timeout: TimeInterval, known copy: ReadingCopy?) throws -> ReadingPlace {
    do {
      let connection = try SQLiteConnection(path: path, readOnly: true, create: false, timeout: timeout, pragmas: [])
      _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
      return .shared
    } catch {
      guard SQLiteError.isForbidden(error) else { return .shared }
      return ReadingCopy.isNeeded(path) ? .copy(try copy ?? ReadingCopy(of: path)) : .immutable
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
    guard ReadingCopy.canBeWritten(path) else { return try open(path, timeout: timeout) }
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
