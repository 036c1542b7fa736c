import CSQLite
import Foundation

/// A store that nobody else can write to as long as this object exists, and whose contents can be exchanged as a whole.
///
/// The lock is a transaction, and the new contents are written in this same transaction. So there is no moment at which
/// somebody else could write something that would then be lost. SQLite's backup cannot be used here, because it only takes
/// its lock when it begins. Meanwhile others read the old contents, and those who want to write wait.
final class StoreExchange: StoreExchanging {
  private static let new = "ocdnew"
  let connection: SQLiteConnection
  let files: StoreFiles

  /// Locks the store at a place.
  /// - Throws: 134090 if others keep the store locked, 513 if it cannot be written, 259 if the file is no store.
  init(_ files: StoreFiles, options: StoreOptions) throws {
    self.files = files
    StrayedValues.move(files)
    connection = try SharedIndex.writable(files.path, timeout: options.timeout)
    guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
      throw NSError(
        coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
        "The store at \(files.url.path) cannot be written.", [NSFilePathErrorKey: files.url.path])
    }
    // Files are removed after the commit, which has to be on the disk by then.
    _ = try connection.rows("PRAGMA synchronous=FULL")
    try connection.execute("BEGIN IMMEDIATE")
    try connection.checkIsInPlace()
    try StoreDestruction.requireStore(files, connection)
  }

  /// Returns the metadata of the store, which cannot change while the lock is held.
  func metadata() throws -> [String: Any] { try storedMetadata().dictionary }

  private func storedMetadata() throws -> StoreMetadata {
    guard let metadata = try StoreMetadata(connection) else { throw files.corrupt("it has no metadata") }
    return metadata
  }

  /// Replaces the contents of this store by those of another store, which nobody has open, and releases the lock. Tables that
  /// are not the framework's stay.
  ///
  /// The external values of the other store are moved; its database stays where it is.
  /// - Parameter willCommit: called when nothing of the other store is needed any more. If the caller removes the other store
  ///   then, a process that is killed leaves no other store beside the new contents. What such a process leaves beside the
  ///   old contents is removed by the next attempt.
  /// - Throws: 640 if there is no room, otherwise SQLite's errors; then the store is as it was.
  func takeContents(of other: URL, willCommit: () -> Void = {}) throws {
    let other = try StoreFiles(other)
    let external = files.external
    let old = files.mayHaveValues ? try StoreDestruction.ownNames(files, connection) : []
    var new: Set<String> = []
    var mark = external.mark()
    var isCommitting = false
    do {
      try connection.execute("ATTACH \(Self.literal(other.path)) AS \(Self.new)")
      try dropTables()
      try copyTables()
      try noteVacuumLevel()
      new = try ExternalFileReport.names(in: connection)
      // The files are installed before the commit, because a reader that finds the rows must find their values.
      try StoreCopy(ofClosedStore: other).installFiles(at: files)
      if mark == nil { mark = external.mark() }
      if !new.isEmpty { try external.synchronize() }
      try connection.checkIsInPlace()
      willCommit()
      isCommitting = true
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      // The commit may be on the disk in spite of the error; then the new files stay.
      let mayBeCommitted = isCommitting && SQLiteError.leavesOpen(error)
      if !mayBeCommitted {
        external.remove(new.subtracting(old))
        mark?.remove()
      }
      try? connection.execute("DETACH \(Self.new)")
      throw error
    }
    try? connection.execute("DETACH \(Self.new)")
    // A reader may prevent this; then the log stays as long as the reader needs it, and nobody waits for the reader.
    connection.waitForLocks(0)
    _ = try? connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    SettledCommits.remove(old.subtracting(new), of: external, marked: mark, connection)
  }

  // MARK: The transaction

  private func dropTables() throws {
    let made = Set(try names(Self.new, "table"))
    for table in try names("main", "table") where made.contains(table) || HistoryTables.isOfFramework(table) {
      // This also drops the table's indexes and triggers.
      try connection.execute("DROP TABLE main.\(table.quotedName)")
    }
  }

  private func copyTables() throws {
    for table in try names(Self.new, "table") {
      try connection.execute(try text(of: table, "table"))
      // The two tables have the same definition, so that SQLite can copy the rows as they are.
      try connection.execute("INSERT INTO main.\(table.quotedName) SELECT * FROM \(Self.new).\(table.quotedName)")
    }
    for type in ["index", "view", "trigger"] {
      for name in try names(Self.new, type) { try connection.execute(try text(of: name, type)) }
    }
  }

  /// Returns the names of a database's tables, indexes, views or triggers in the order in which they were created, without
  /// those that SQLite creates by itself.
  private func names(_ database: String, _ type: String) throws -> [String] {
    try connection.rows(
      "SELECT name FROM \(database).sqlite_master WHERE type = '\(type)' AND sql IS NOT NULL "
        + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    ).compactMap { $0[0] }
  }

  /// Returns the statement that creates a table, index, view or trigger. The statement names no database, so that it creates
  /// the thing in the main database.
  private func text(of name: String, _ type: String) throws -> String {
    let rows = try connection.rows(
      "SELECT sql FROM \(Self.new).sqlite_master WHERE type = '\(type)' AND name = \(Self.literal(name))")
    guard let text = rows.first?[0] else { throw files.corrupt("the \(type) \(name) is gone") }
    return text
  }

  /// Notes the file's own vacuum mode in the metadata: the new contents do not change how the file gives back free pages.
  private func noteVacuumLevel() throws {
    var metadata = try storedMetadata()
    let level = "\(try connection.integer("PRAGMA main.auto_vacuum") ?? 0)"
    guard metadata.properties["_NSAutoVacuumLevel"] as? String != level else { return }
    metadata.properties["_NSAutoVacuumLevel"] = level
    try metadata.write(connection)
  }

  private static func literal(_ text: String) -> String { "'\(text.replacingOccurrences(of: "'", with: "''"))'" }
}
