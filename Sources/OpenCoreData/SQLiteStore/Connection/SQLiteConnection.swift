import CSQLite
import Foundation

/// One connection to a database file, with its prepared statements.
///
/// It is opened without SQLite's own mutex: only the owner of the connection (the holder of the writer's lock, or a read
/// transaction) uses it.
final class SQLiteConnection {
  let handle: OpaquePointer
  let path: String
  @exclusivity(unchecked) private var statements: [String: SQLiteStatement] = [:]
  private let statementLimit = 512
  private var fixed: [SQLiteStatement?] = Array(repeating: nil, count: FixedStatement.allCases.count)
  private var planned: [PlanCache.Purpose: SQLiteStatement] = [:]
  /// What a reader notes about the transaction that began last on this connection: `PRAGMA data_version`, and the writer's
  /// commits.
  var mark = OneWriterReading.Mark()
  /// Which of the databases that its pool has had this is connected to.
  var poolDatabase = 0
  /// The rows that triggers have changed in this transaction.
  let touchedRows = TouchedRows()
  /// The keys that may be assigned here, by root entity. Other connections may have assigned more since.
  var keyReserves: [Int: KeyReserve] = [:]
  /// The highest sort keys of ordered relationships, as far as they are known here.
  var lastSortKeys: [SortKeyPlace: Int64] = [:]

  /// Forgets cached keys that may be wrong after a rollback, or after another process has written.
  func forgetKeys() {
    keyReserves.removeAll(keepingCapacity: true)
    lastSortKeys.removeAll(keepingCapacity: true)
  }

  /// Opens the file.
  /// - Parameters:
  ///   - immutable: promises SQLite that the file does not change in the meantime, so that SQLite needs no files beside it.
  ///   - readOnlyIndex: does not change the index of the log (-shm), which must exist.
  /// - Throws: an error with Apple's code, the path and SQLite's reason.
  init(
    path: String, readOnly: Bool, create: Bool, immutable: Bool = false, readOnlyIndex: Bool = false,
    timeout: TimeInterval, pragmas: [(String, String)]
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
    let code = sqlite3_open_v2(option.map { Self.uri(path, $0) } ?? path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError.make(code, handle: handle, path: path, doing: "opening the file")
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    self.path = path
    sqlite3_extended_result_codes(handle, 1)
    // The file may come from any source. A trigger in it must not be able to call the function by which this framework's own
    // triggers remove files.
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
    // Everything that means something in a URI is escaped; a path of a file system always can be.
    "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?\(option)"
  }

  /// Sets how many seconds to wait for a lock that another connection has.
  func waitForLocks(_ timeout: TimeInterval) {
    sqlite3_busy_timeout(handle, Int32(min(timeout * 1000, Double(Int32.max))))
  }

  deinit {
    statements.removeAll()
    fixed.removeAll()
    planned.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The prepared statement for `sql`, kept for the next time.
  func statement(_ sql: String) throws -> SQLiteStatement {
    if let known = statements[sql] { return known }
    if statements.count >= statementLimit { statements.removeAll(keepingCapacity: true) }
    let made = try SQLiteStatement(sql, on: self)
    statements[sql] = made
    return made
  }

  /// The statement that is prepared for `purpose`, of which there are as many as entities; found without its text.
  func statement(
    for purpose: PlanCache.Purpose, _ make: () throws -> SQLStatement
  ) throws -> SQLiteStatement {
    if let known = planned[purpose] { return known }
    let made = try SQLiteStatement(make().text, on: self)
    planned[purpose] = made
    return made
  }

  /// A statement that every save needs; found without its text.
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

  /// The first column of the first row of `sql`, as an integer.
  func integer(_ sql: String) throws -> Int64? { try integer(of: statement(sql)) }

  /// The first column of the statement's first row, as an integer.
  func integer(of statement: SQLiteStatement) throws -> Int64? {
    statement.begin()
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    statement.rowCount = 1
    return statement.int(0)
  }

  /// Every row of `sql`, each column as text.
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

  /// SQLite's code for what went wrong last.
  var extendedCode: Int32 { sqlite3_extended_errcode(handle) }

  /// Whether a transaction has begun.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  func error(_ code: Int32, doing: String) -> NSError {
    SQLiteError.make(sqlite3_extended_errcode(handle), handle: handle, path: path, doing: doing)
  }
}
