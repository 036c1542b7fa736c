import Foundation

/// The files of a store at a place: the store's own, and the folder of external values.
package struct StoreFiles {
  /// The kind of file at a place.
  package enum Kind { case missing, file, folder, other }

  /// The URL that the store was given.
  package let url: URL
  /// The path of the store's own file, after symbolic links: SQLite and the store keep their other files there.
  package let path: String
  /// The links in the place of the file, of which the URL is the first; empty if the URL names the file itself.
  package let links: [String]

  /// - Throws: 134080 if the URL is no file URL.
  package init(_ url: URL) throws {
    guard url.isFileURL else {
      throw NSError(
        coreData: NSPersistentStoreOpenError, "The store needs a file URL, not \(url.placeOfStore).")
    }
    self.url = url
    let real = RealPath(url.path)
    (path, links) = (real.path, real.links)
  }

  /// Whether the URL stands for a private store, which has no file.
  package var isPrivate: Bool { url.path == "/dev/null" }

  /// The kind of file that is at the path now.
  package var kind: Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The support folder; everything in it belongs to the store.
  package var supportFolder: URL { ExternalStorage.supportFolder(forStoreAt: URL(fileURLWithPath: path)) }

  /// The files of external values.
  var external: ExternalStorage { ExternalStorage(storePath: path, links: links) }

  /// Whether there may be external values: in the support folder, or beside a link.
  var mayHaveValues: Bool { hasSupportFolder || external.hasStrayed }

  /// Whether something has the name of the support folder.
  package var hasSupportFolder: Bool {
    var status = stat()
    return lstat(supportFolder.path, &status) == 0
  }

  /// Whether the folder is there that the store is in.
  var hasFolder: Bool {
    var status = stat()
    return stat(supportFolder.deletingLastPathComponent().path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that the support folder is in.
  /// - Throws: 256 or 257 if the folder cannot be opened.
  package func home() throws -> FolderHandle {
    let path = supportFolder.deletingLastPathComponent().path
    do { return try FolderHandle(path) } catch { throw SystemError.reading("The folder", path, error) }
  }

  /// Whether both stores have one folder of external values, as stores whose names differ only in the extension do.
  package func sharesFolder(with other: StoreFiles) -> Bool {
    supportFolder.path == other.supportFolder.path
  }

  /// Whether both stores are the same file.
  package func isSame(as other: StoreFiles) -> Bool {
    var first = stat(), second = stat()
    guard stat(path, &first) == 0, stat(other.path, &second) == 0 else { return path == other.path }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }

  /// Makes a working folder beside the file.
  /// - Throws: 256 if the folder of the file is missing, 513 or a similar error if nothing can be made there.
  package func workingFolder() throws -> WorkingFolder {
    do {
      return try WorkingFolder(beside: path)
    } catch {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      if [.ENOENT, .ENOTDIR].contains(error.code) { throw unreadable("there is no folder \(folder)") }
      throw SystemError.writing("The folder", folder, error)
    }
  }

  /// Makes sure that there is a regular file.
  /// - Throws: 260 if there is nothing, 256 for a folder or a device.
  package func requireFile() throws {
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
  package func unreadable(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadUnknown.rawValue, "The store at \(url.path) cannot be used: \(reason).",
      [NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: reason])
  }

  /// The error for a file that is no store.
  package func corrupt(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The file at \(url.path) is not a store: \(reason).",
      [NSFilePathErrorKey: url.path, NSLocalizedFailureReasonErrorKey: reason])
  }

  /// Makes sure that everything written to a file or a folder is on the disk. It must not be a database that is open: if this
  /// process opens and closes the database's file itself, its connections lose their locks.
  package static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if [ENOENT, EACCES, EPERM].contains(errno) { return }
      throw SystemError.writing("The file", path, .last)
    }
    defer { close(file) }
    // File systems that cannot sync a folder give EINVAL.
    guard fsync(file) != 0, errno != EINVAL, errno != EROFS else { return }
    throw SystemError.writing("The file", path, .last)
  }

  /// Removes one file. It is no error if there is no such file.
  package static func remove(_ path: String) throws {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw SystemError.writing("The file", path, .last, cannotBe: "removed")
  }
}
