import Foundation

/// A private copy of a database and of its log or journal, in the user's temporary folder.
///
/// SQLite needs a file beside a database whose log has no index (-shm), and has to undo what a killed process has left in a
/// journal. Where the database or its folder may not be written, as in a mounted backup, both are done in a copy. The copy
/// is removed together with this object.
final class ReadingCopy {
  /// The path of the database that was copied.
  let original: String
  /// The path of the copy.
  let path: String

  /// - Throws: 134090 if the database is written again and again while it is copied, 640 if there is no room for the copy,
  ///   and the errors of reading the files.
  init(of path: String) throws {
    original = path
    self.path = try PrivateStoreFolder.make(in: FileManager.default.temporaryDirectory.path)
    do {
      try copyUnchanged()
      try settle()
    } catch {
      PrivateStoreFolder.remove(storePath: self.path)
      throw error
    }
  }

  deinit { PrivateStoreFolder.remove(storePath: path) }

  /// Copies the files as they are at one moment.
  private func copyUnchanged() throws {
    for _ in 0..<10 {
      let before = Self.state(original)
      try copy()
      if Self.state(original) == before { return }
    }
    throw NSError(
      coreData: NSPersistentStoreTimeoutError, "The store at \(original) was written while it was copied. Try again.",
      [NSFilePathErrorKey: original])
  }

  /// Has SQLite undo what a journal says. When the connection closes, SQLite moves the log into the copy.
  private func settle() throws {
    let connection = try SQLiteConnection(
      path: original, readOnly: false, create: false, copy: self, timeout: 0, pragmas: [])
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
  }

  /// Whether there is a log or a journal, so that the database's own file does not have all that was committed, or more.
  static func isNeeded(_ path: String) -> Bool {
    StoreInspection.size(path + "-wal") > 0 || StoreInspection.size(path + "-journal") > 0
  }

  /// Whether this process may write the database and make files beside it.
  static func canBeWritten(_ path: String) -> Bool {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    // The real user's rights, which `access` asks for, may be others.
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0
  }

  /// The files without which the database cannot be read. The index is made anew.
  private static let suffixes = ["", "-wal", "-journal"]

  private static func state(_ path: String) -> [FileState?] { suffixes.map { FileState(path + $0) } }

  /// The files are opened and closed by themselves, which ends the locks that this process holds on them. It holds none:
  /// with a log that has no index, or a journal that must be undone, SQLite cannot read the database where it is.
  private func copy() throws {
    let from = URL(fileURLWithPath: original), to = URL(fileURLWithPath: path)
    let source: FolderHandle, target: FolderHandle
    do {
      source = try FolderHandle(from.deletingLastPathComponent().path)
      target = try FolderHandle(to.deletingLastPathComponent().path)
    } catch { throw SystemError.reading("The store", original, error) }
    for suffix in Self.suffixes {
      let name = from.lastPathComponent + suffix
      do {
        try target.remove(to.lastPathComponent + suffix)
        try source.copyFile(name, to: target, as: to.lastPathComponent + suffix, mode: 0o600)
      } catch  where error.code == .ENOENT && !suffix.isEmpty {
        continue
      } catch  where [.ENOSPC, .EDQUOT, .EFBIG].contains(error.code) {
        throw SystemError.writing("The copy through which \(original) is read,", path, error)
      } catch { throw SystemError.reading("The file", original + suffix, error) }
    }
  }
}
