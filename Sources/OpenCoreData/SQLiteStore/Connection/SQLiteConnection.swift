import CSQLite
import Foundation

/// One connection to a database file, with its prepared statements.
///
/// The connection is opened without SQLite's own mutex, because only one thread uses it at a time: the one that has the
/// writer's lock, or the lock of the read transaction.
final class SQLiteConnection {
  let handle: OpaquePointer
  let path: String
  /// Whether SQLite was promised that nobody changes the file, so that it takes no locks.
  let isImmutable: Bool
  /// The private copy to which the connection is open in place of the file at `path`.
  let copy: ReadingCopy?
  @exclusivity(unchecked) private var statements: [String: SQLiteStatement] = [:]
  private let statementLimit = 512
  private var fixed: [SQLiteStatement?] = Array(repeating: nil, count: FixedStatement.allCases.count)
  private var planned: [PlanCache.Purpose: SQLiteStatement] = [:]
  /// What a reader remembers of the last transaction that began on this connection: `PRAGMA data_version`, and the number of
  /// commits that the writer had finished.
  var mark = OneWriterReading.Mark()
  /// The number of the pool's database to which this connection is open (`ReaderPoolPolicy.database`).
  var poolDatabase = 0
  /// The rows that triggers have changed in this transaction.
  let touchedRows = TouchedRows()
  /// The missing files of external values that the statement which runs has met.
  let missingFiles = MissingFileNames()
  /// The keys that this connection has reserved and may give to new rows, by root entity. Others may have reserved later keys
  /// since.
  var keyReserves: [Int: KeyReserve] = [:]
  /// The last keys that this connection has given to rows of history, by the number of their entity.
  var lastHistoryKeys: [Int: Int64] = [:]
  /// The highest sort keys of ordered relationships, as far as this connection knows them.
  var lastSortKeys: [SortKeyPlace: Int64] = [:]

  /// Forgets the reserved keys and the sort keys, which are untrue after a rollback or after a commit of another process.
  func forgetKeys() {
    keyReserves.removeAll(keepingCapacity: true)
    lastSortKeys.removeAll(keepingCapacity: true)
  }

  /// Opens the file.
  /// - Parameters:
  ///   - immutable: promises SQLite that nobody changes the file meanwhile, so that it needs no files beside it.
  ///   - readOnlyIndex: uses the index of the log (-shm), which must exist, without writing to it.
  ///   - copy: the copy of the file that is opened in its place.
  /// - Throws: an error with Apple's code, the path and SQLite's reason; 256 if something that is no regular file lies where
  ///   SQLite keeps a file beside the database.
  init(
    path: String, readOnly: Bool, create: Bool, immutable: Bool = false, readOnlyIndex: Bool = false,
    copy: ReadingCopy? = nil, timeout: TimeInterval, pragmas: [(String, String)]
  ) throws {
    var flags = SQLITE_OPEN_NOMUTEX | (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
    if create, !readOnly { flags |= SQLITE_OPEN_CREATE }
    let option = immutable ? "immutable=1" : readOnlyIndex ? "readonly_shm=1" : nil
    if option != nil { flags |= SQLITE_OPEN_URI }
    FrameworkStart.ensure()
    if Watchers.current.contains(.log) {
      FrameworkLog.write(.annotation, "Connecting to sqlite database file at \"\(path)\"")
    }
    var handle: OpaquePointer?
    let file = copy?.path ?? path
    try Self.checkBesides(file)
    let code = sqlite3_open_v2(option.map { Self.uri(file, $0) } ?? file, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError.make(code, handle: handle, path: path, doing: "opening the file")
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    (self.path, isImmutable, self.copy) = (path, immutable, copy)
    sqlite3_extended_result_codes(handle, 1)
    // The file may come from anybody: a trigger in it must not be able to remove files with a function that is meant for this
    // framework's own triggers.
    _ = csqlite_distrust_schema(handle)
    waitForLocks(timeout)
    do {
      for (name, value) in pragmas { try execute("PRAGMA \(name)=\(value)") }
      try registerFunctions()
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
  }

  private static func uri(_ path: String, _ option: String) -> String {
    // All characters that have a meaning in a URI are escaped. Percent-encoding cannot fail for a path of a file system.
    "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?\(option)"
  }

  /// Sets how many seconds SQLite waits for a lock that another connection has.
  func waitForLocks(_ timeout: TimeInterval) {
    sqlite3_busy_timeout(handle, Int32(min(timeout * 1000, Double(Int32.max))))
  }

  deinit {
    statements.removeAll()
    fixed.removeAll()
    planned.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Returns the prepared statement for `sql`, and keeps it for the next time.
  func statement(_ sql: String) throws -> SQLiteStatement {
    if let known = statements[sql] { return known }
    if statements.count >= statementLimit { statements.removeAll(keepingCapacity: true) }
    let made = try SQLiteStatement(sql, on: self)
    statements[sql] = made
    return made
  }

  /// Returns the statement that is prepared for `purpose`. It is found without its text. There are as many statements of a
  /// purpose as entities.
  func statement(
    for purpose: PlanCache.Purpose, _ make: () throws -> SQLStatement
  ) throws -> SQLiteStatement {
    if let known = planned[purpose] { return known }
    let made = try SQLiteStatement(make().text, on: self)
    planned[purpose] = made
    return made
  }

  /// Returns one of the statements that every save needs. It is found without its text.
  func statement(_ name: FixedStatement) throws -> SQLiteStatement {
    if let known = fixed[name.rawValue] { return known }
    let made = try SQLiteStatement(name.text, on: self)
    fixed[name.rawValue] = made
    return made
  }

  /// Prepares and runs `sql` once, without keeping it.
  func execute(_ sql: String) throws {
    try SQLiteStatement(sql, on: self).run()
  }

  /// Returns the first column of the first row of `sql` as an integer.
  func integer(_ sql: String) throws -> Int64? { try integer(of: statement(sql)) }

  /// Returns the first column of the statement's first row as an integer.
  func integer(of statement: SQLiteStatement) throws -> Int64? {
    statement.begin()
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    statement.rowCount = 1
    return statement.int(0)
  }

  /// Returns every row of `sql`, each column as text.
  func rows(_ sql: String) throws -> [[String?]] {
    let statement = try statement(sql)
    statement.begin()
    defer { statement.reset() }
    var rows: [[String?]] = []
    while try statement.step() {
      rows.append((0..<sqlite3_column_count(statement.handle)).map { statement.string($0) })
      statement.rowCount = rows.count
    }
    return rows
  }

  var changes: Int { Int(sqlite3_changes(handle)) }

  /// SQLite's extended code for the last failure.
  var extendedCode: Int32 { sqlite3_extended_errcode(handle) }

  /// Whether a transaction has begun.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  func error(_ code: Int32, doing: String) -> NSError {
    SQLiteError.make(sqlite3_extended_errcode(handle), handle: handle, path: path, doing: doing)
  }
}
