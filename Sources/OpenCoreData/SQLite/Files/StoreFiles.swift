import CSQLite
import Foundation

/// The files of a SQLite store: the database, what SQLite keeps beside it, and the folder of external values.
struct StoreFiles {
  /// What is at a place.
  enum Kind { case missing, file, folder, other }

  /// Where the store is said to be.
  let url: URL
  /// The database, which symbolic links may have led to: SQLite keeps its files there.
  let path: String

  /// - Throws: 134080 for a URL of no file.
  init(_ url: URL) throws {
    guard url.isFileURL else {
      throw NSError(
        coreData: NSPersistentStoreOpenError, "A SQLite store needs a file URL, not \(url.absoluteString).")
    }
    self.url = url
    path = url.resolvingSymlinksInPath().path
  }

  /// Whether this stands for a private store, of which there is no file.
  var isPrivate: Bool { url.path == "/dev/null" }

  /// What is there now.
  var kind: Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Everything in it belongs to the store.
  var supportFolder: URL { ExternalStorage.supportFolder(forStoreAt: url) }

  /// Whether something has the name of the support folder.
  var hasSupportFolder: Bool {
    var status = stat()
    return lstat(supportFolder.path, &status) == 0
  }

  /// The folder that the support folder is in.
  /// - Throws: 256 or 257 where it cannot be opened.
  func home() throws -> FolderHandle {
    let path = supportFolder.deletingLastPathComponent().path
    do { return try FolderHandle(path) } catch { throw SystemError.reading("The folder", path, error) }
  }

  /// Whether the external values of both are in one folder, as those of stores that differ in their extension alone.
  func sharesFolder(with other: StoreFiles) -> Bool {
    supportFolder.lastPathComponent == other.supportFolder.lastPathComponent
      && url.deletingLastPathComponent().resolvingSymlinksInPath().path
        == other.url.deletingLastPathComponent().resolvingSymlinksInPath().path
  }

  /// The other databases whose values are in the same folder.
  /// - Throws: 256 or 257 where that cannot be found out: their values would be taken for nobody's.
  func neighbours() throws -> [URL] {
    // Without the folder there is nothing to share.
    guard hasSupportFolder else { return [] }
    let folder = try home()
    let own = url.lastPathComponent, stem = url.deletingPathExtension().lastPathComponent
    let names: [String]
    do { names = try folder.names() } catch { throw SystemError.reading("The folder", folder.path, error) }
    return try names.map { URL(fileURLWithPath: folder.path).appendingPathComponent($0) }.filter { other in
      // The index of a log must not be opened and closed: this process's locks on it would be gone.
      guard other.lastPathComponent != own, other.deletingPathExtension().lastPathComponent == stem,
        !["-wal", "-shm", "-journal"].contains(where: other.lastPathComponent.hasSuffix),
        try StoreFiles(other).kind == .file
      else { return false }
      return try StoreFileHeader.read(other.path).start.starts(with: StoreFileHeader.magic)
    }
  }

  /// What SQLite keeps beside the database.
  var besides: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  /// Whether both are one file.
  func isSame(as other: StoreFiles) -> Bool {
    var first = stat(), second = stat()
    guard stat(path, &first) == 0, stat(other.path, &second) == 0 else { return path == other.path }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }

  /// Makes sure that there is a file.
  /// - Throws: 260 where nothing is, 256 for a folder or a device.
  func requireFile() throws {
    switch isPrivate ? .missing : kind {
    case .file: return
    case .missing:
      throw NSError(
        coreData: CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no store at \(url.path).",
        [NSFilePathErrorKey: url.path])
    case .folder: throw unreadable("it is a folder")
    case .other: throw unreadable("it is no regular file")
    }
  }

  /// The error for a place where no store can be.
  func unreadable(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadUnknown.rawValue, "The store at \(url.path) cannot be used: \(reason).",
      [NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: reason])
  }

  /// The error for a file that is no store.
  func corrupt(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The file at \(url.path) is not a store: \(reason).",
      [NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: reason])
  }

  /// Makes sure that what was written to a file or a folder is on the disk. No database that is open: a file that this
  /// process opens and closes by itself loses the locks of its connections.
  static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if [ENOENT, EACCES, EPERM].contains(errno) { return }
      throw SystemError.writing("The file", path, .last)
    }
    defer { close(file) }
    // File systems that cannot say so for folders say EINVAL.
    guard fsync(file) != 0, errno != EINVAL, errno != EROFS else { return }
    throw SystemError.writing("The file", path, .last)
  }

  /// Removes one file; that it is gone already is no error.
  static func remove(_ path: String) throws {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw SystemError.writing("The file", path, .last, cannotBe: "removed")
  }
}
