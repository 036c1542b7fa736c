import CSQLite
import Foundation

/// Copies a database page by page, as it is at one moment.
enum SQLiteBackup {
  private static let pagesPerStep: Int32 = 1024

  /// Replaces the content of the destination by the content of the source, in one transaction, so that others who have the
  /// destination open see all of the old content or all of the new.
  ///
  /// The source is read in one transaction: with a write-ahead log, others go on writing; without one they wait.
  /// - Parameter progress: counts pages. Cancelling it ends the copy, and the destination stays as it was.
  /// - Throws: 134090 if one of the two stays locked, 3072 after a cancellation, otherwise SQLite's error.
  static func copy(
    _ source: SQLiteConnection, to destination: SQLiteConnection, timeout: TimeInterval, progress: Progress? = nil
  ) throws {
    try matchPageSize(of: destination, to: source)
    try source.execute("BEGIN")
    defer { try? source.execute("COMMIT") }
    // The transaction begins with the first read. Without it, somebody else's commit would make the copy begin anew.
    _ = try source.integer("SELECT COUNT(*) FROM sqlite_master")
    guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
      throw destination.error(sqlite3_errcode(destination.handle), doing: "beginning a copy")
    }
    var code = SQLITE_OK
    var wasCancelled = false
    let deadline = Date(timeIntervalSinceNow: timeout)
    while true {
      wasCancelled = progress?.isCancelled == true
      if wasCancelled { break }
      code = sqlite3_backup_step(backup, pagesPerStep)
      if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED, Date() < deadline {
        usleep(2000)
        continue
      }
      let total = Int64(sqlite3_backup_pagecount(backup))
      progress?.totalUnitCount = total
      progress?.completedUnitCount = total - Int64(sqlite3_backup_remaining(backup))
      guard code == SQLITE_OK else { break }
    }
    // If the copy has not come to its end, this rolls the destination back.
    let end = sqlite3_backup_finish(backup)
    if wasCancelled { throw cancelled }
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      let failure = code == SQLITE_DONE ? end : code
      // The caller may replace a destination that is damaged. A destination that could not be read must not be taken for
      // damaged.
      let isUnreadable = [source, destination].contains { SQLiteError.isUnreadable(failure, $0.handle) }
      let known = isUnreadable ? SQLiteError.unreadable : failure
      throw SQLiteError.make(
        known, handle: known & 0xff == SQLITE_IOERR ? destination.handle : nil, path: destination.path,
        doing: "copying \(source.path)")
    }
  }

  static var cancelled: NSError {
    NSError(coreData: CocoaError.Code.userCancelled.rawValue, "The copy was cancelled.")
  }

  /// Takes a destination out of the write-ahead log's mode if its page size differs, because a database with such a log
  /// cannot change the size of its pages.
  private static func matchPageSize(of destination: SQLiteConnection, to source: SQLiteConnection) throws {
    guard try destination.integer("PRAGMA page_count") ?? 0 > 0,
      try destination.integer("PRAGMA page_size") != source.integer("PRAGMA page_size")
    else { return }
    _ = try destination.rows("PRAGMA journal_mode = DELETE")
  }
}
