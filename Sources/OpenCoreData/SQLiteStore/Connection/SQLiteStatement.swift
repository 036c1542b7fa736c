import CSQLite
import Foundation

/// A prepared statement. It belongs to its connection and is used by one thread at a time.
final class SQLiteStatement {
  let handle: OpaquePointer
  let sql: String
  private unowned let connection: SQLiteConnection
  let isSelect: Bool
  let isPragma: Bool
  /// The plan whose values are bound to the variables, as long as that is known. Binding a pattern again makes SQLite prepare
  /// the statement again.
  var boundPlan: FetchPlan<SQLStatement>?
  /// Where the texts of a row are kept while it is written.
  private var rowTexts: Unmanaged<RowTexts>?  // released in `deinit`; no references are counted for each text
  /// Whether runs are counted. Statements that begin or end a transaction, and pragmas, are logged but not counted.
  private let isCounted: Bool
  /// What is watched of the present run; see `SQLiteStatement+Watching`.
  @exclusivity(unchecked) var watched = WatchedRun()
  /// The number of the statement's text in a recording.
  @exclusivity(unchecked) var recorded: (session: UInt32, number: UInt32) = (0, 0)
  /// How many rows the last run gave, if that is known.
  @exclusivity(unchecked) var rowCount = 0

  init(_ sql: String, on connection: SQLiteConnection) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteError.limit(code, handle: connection.handle, sql) ?? connection.error(code, doing: "preparing \(sql)")
    }
    self.handle = handle
    self.sql = sql
    self.connection = connection
    isSelect = sqlite3_stmt_readonly(handle) != 0 && sqlite3_column_count(handle) > 0
    let first = sql.prefix(6).uppercased()
    isPragma = first == "PRAGMA"
    isCounted = !["BEGIN", "BEGIN ", "COMMIT", "ROLLBA", "PRAGMA"].contains(first)
  }

  deinit {
    // Explaining needs the connection, which may be in the course of its own deallocation.
    if watched.isWatched { endWatching(explains: false) }
    sqlite3_finalize(handle)
    rowTexts?.release()
  }

  /// Whether the statement is neither a pragma nor one that begins or ends a transaction.
  var isWork: Bool { isCounted }

  /// SQLite's plan of the statement; empty if it cannot be told.
  var plan: [String] { (try? connection.plan(of: sql)) ?? [] }

  /// The path of the database on which the statement runs.
  var path: String { connection.path }

  /// Says in the log and the counters that the statement is about to run.
  @inline(__always)
  func begin() {
    if isCounted {
      CoreDataInstruments.add(CoreDataInstruments.statements)
      if isSelect { CoreDataInstruments.add(CoreDataInstruments.selects) }
    }
    rowCount = 0
    if Watchers.areThere { beginWatching() }
  }

  /// Moves to the next row; returns false at the end. The caller counts the rows.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    let error = connection.error(code, doing: "running \(sql)")
    sqlite3_reset(handle)
    throw error
  }

  /// Runs a statement that gives no rows, and makes it ready to run again.
  func run() throws {
    begin()
    defer { reset() }
    while try step() {}
  }

  /// Runs a statement that gives no rows. Returns false if SQLite refuses it because another row has the same values in the
  /// columns of a UNIQUE index.
  func runIfUnique() throws -> Bool {
    begin()
    let code = sqlite3_step(handle)
    if code == SQLITE_DONE {
      reset()
      return true
    }
    let extended = connection.extendedCode
    // No error object is made in this case, because a batch may meet it very often.
    guard extended == SQLITE_CONSTRAINT | 8 << 8 else {  // SQLITE_CONSTRAINT_UNIQUE
      let error = connection.error(code, doing: "running \(sql)")
      reset()
      throw error
    }
    reset()
    return false
  }

  /// Ends the run.
  @inline(__always)
  func reset() {
    if watched.isWatched { endWatching() }
    sqlite3_reset(handle)
  }

  /// Tells the statement that each of its text variables is about to be bound anew. The texts are then kept in `rowTexts`, so
  /// that SQLite makes no copies.
  @inline(__always)
  func beginRow() {
    if let rowTexts {
      rowTexts._withUnsafeGuaranteedRef { $0.begin() }
    } else {
      rowTexts = Unmanaged.passRetained(RowTexts())
    }
  }

  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }

  @inline(__always)
  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  func bind(_ value: String, at index: Int32) {
    // The fast path makes no copy of the string, which would count references.
    if value.utf8.withContiguousStorageIfAvailable({ bind(utf8: $0, at: index) }) != nil { return }
    var value = value
    value.withUTF8 { bind(utf8: $0, at: index) }
  }

  @inline(__always)
  private func bind(utf8 bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
    bytes.withMemoryRebound(to: CChar.self) { text in
      if let kept = rowTexts?._withUnsafeGuaranteedRef({ $0.keep(text) }) {
        sqlite3_bind_text(handle, index, kept, Int32(text.count), nil)
        return
      }
      // SQLite takes any address for an empty string except NULL, which would bind NULL.
      _ = sqlite3_bind_text(
        handle, index, text.baseAddress ?? UnsafePointer(Self.emptyText), Int32(text.count), SQLiteStatement.transient)
    }
  }

  func bind(_ value: Data, at index: Int32) {
    if value.isEmpty {
      sqlite3_bind_zeroblob(handle, index, 0)
    } else {
      _ = value.withUnsafeBytes {
        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), SQLiteStatement.transient)
      }
    }
  }

  @inline(__always)
  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Returns the whole text of a column, which may contain a NUL.
  func string(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func data(_ column: Int32) -> Data? {
    guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return sqlite3_column_blob(handle, column).map { Data(bytes: $0, count: count) } ?? Data()
  }

  /// Tells SQLite to copy the bytes.
  static let transient = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
  nonisolated(unsafe) private static let emptyText: UnsafeMutablePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)  // kept for the life of the program, never written
    text.pointee = 0
    return text
  }()
}
