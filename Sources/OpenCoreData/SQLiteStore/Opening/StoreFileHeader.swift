import CSQLite
import Foundation

/// The first hundred bytes of a SQLite file. They are enough to recognise a file that is no database, or that was cut short,
/// before it is used.
enum StoreFileHeader {
  /// The bytes with which a SQLite file begins.
  static let magic = Array("SQLite format 3\0".utf8)

  /// - Throws: 259 for a file that is not a SQLite database, or that is shorter than its header says; 256 for a file that
  ///   cannot be read.
  static func check(_ path: String) throws {
    let (header, size) = try read(path)
    guard !header.isEmpty else { return }
    guard header.count == 100, header.starts(with: magic) else {
      throw corrupt(path, "it does not begin as a SQLite database does")
    }
    let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
    let pages = header[28..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // If there is a write-ahead log, the main file may lag behind it. If there is a journal, an unfinished commit may have
    // left a header whose pages are missing, which the journal undoes. In both cases SQLite itself has to judge.
    let log = StoreInspection.size(path + "-wal") + StoreInspection.size(path + "-journal")
    let expected = pages * (pageSize == 1 ? 65536 : pageSize)
    if log == 0, size < expected {
      throw corrupt(path, "it has \(size) bytes where its header says \(expected): the end is missing")
    }
  }

  /// Whether the database is in WAL mode. The header tells that, so SQLite need not open the database.
  static func isInLogMode(_ path: String) throws -> Bool { try read(path).start.dropFirst(18).prefix(2) == [2, 2] }

  /// Returns the first hundred bytes or fewer, and the size of the file.
  ///
  /// The bytes are read through SQLite: if the process opened and closed a database file by itself, the locks of its own
  /// connections to that file would end.
  /// - Throws: 256 for a file that cannot be read.
  static func read(_ path: String) throws -> (start: [UInt8], size: UInt64) {
    // If the file is a pipe, SQLite would wait for its other end.
    var status = stat()
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue,
        "The file at \(path) cannot be read: it is no regular file.", [NSFilePathErrorKey: path])
    }
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    var start = [UInt8](repeating: 0, count: 100)
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    let size = code == SQLITE_OK && !isFolder(path) ? handle.map { csqlite_read_start($0, &start, 100) } ?? -1 : -1
    guard size >= 0 else {
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue,
        "The file at \(path) cannot be read: \(reason(path) ?? String(cString: sqlite3_errstr(code))).",
        [NSFilePathErrorKey: path])
    }
    return (Array(start.prefix(Int(min(size, 100)))), UInt64(size))
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Returns why a file cannot be read, in more detail than SQLite; nil if the system gives no reason.
  private static func reason(_ path: String) -> String? {
    if isFolder(path) { return "it is a folder" }
    return access(path, R_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private static func corrupt(_ path: String, _ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The file at \(path) is not a readable store: \(reason).",
      [NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason])
  }
}
