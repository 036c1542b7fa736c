import Foundation

/// Which commits of a database are settled: they are on the disk, so that a power cut cannot take them back, and nobody reads
/// an older state any more, in whatever process. From then on nobody needs the files that a commit's rows no longer name.
///
/// Both follow from SQLite's checkpoints. A checkpoint syncs the log before it copies anything into the database, and does not
/// copy what an older reader must not see.
struct SettledCommits {
  /// The length of the log, in frames; -1 for a database without a write-ahead log.
  let logLength: Int
  private let copied: Int

  /// Copies what can be copied of the log into the database, without waiting for anybody.
  ///
  /// Without a write-ahead log, a commit waits for all readers, and its end is the removal of the journal, which is synced
  /// here.
  /// - Returns: nil if nothing is known: another process is copying, a transaction is open, or a folder cannot be synced.
  init?(_ connection: SQLiteConnection) {
    guard !connection.isInTransaction, let row = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)").first,
      row.count == 3, row[0] == "0", let length = row[1].flatMap({ Int($0) }), let copied = row[2].flatMap({ Int($0) })
    else { return nil }
    (logLength, self.copied) = (length, copied)
    guard length < 0 else { return }
    do {
      if try connection.integer("PRAGMA synchronous") == 0 { return }
      // With journal_mode PERSIST or TRUNCATE, the journal stays.
      try StoreFiles.synchronize(connection.path + "-journal")
      try StoreFiles.synchronize(URL(fileURLWithPath: connection.path).deletingLastPathComponent().path)
    } catch {
      return nil
    }
  }

  /// Whether all commits are settled.
  var includeAll: Bool { copied == logLength }

  /// Whether the commits are settled that ended when the log had a length.
  ///
  /// When the log begins anew, all of it has been copied. So a length that was noted before that is reached too late at most.
  func include(logLength length: Int) -> Bool { includeAll || length <= copied }

  /// Removes the files of external values that a commit on this connection has taken out of the rows, if the commit is
  /// settled; otherwise leaves the mark, so that the files are removed later.
  /// - Parameter mark: the mark that was made before the commit.
  static func remove(
    _ names: some Collection<String>, of storage: ExternalStorage, marked mark: ExternalMark?,
    _ connection: SQLiteConnection
  ) {
    if names.isEmpty || SettledCommits(connection)?.includeAll == true {
      storage.remove(names)
      mark?.remove()
    }
  }
}
