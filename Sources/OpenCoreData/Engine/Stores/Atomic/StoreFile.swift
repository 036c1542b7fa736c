import Foundation

/// The one file of a store that is read and written as a whole.
///
/// A save writes a new file beside the old one and then replaces the old one, so that there is always a complete file. If
/// another process has written the file meanwhile, the file's stamp is different.
final class StoreFile {
  let path: String
  private let timeout: TimeInterval
  /// The mode of a new file, if there is no file yet; nil for the default mode of the process.
  var modeOfNew: mode_t?
  /// The file's stamp when this process last read or wrote it; nil if there was no file.
  private var stamp: FileStamp?

  /// - Throws: 134080 for a URL of no file.
  init(_ url: URL, timeout: TimeInterval = 240) throws {
    guard url.isFileURL else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store needs a file URL, not \(url.placeOfStore).")
    }
    path = RealPath(url.path).path
    self.timeout = timeout
  }

  /// Notes the file's present state, so that `replace(with:)` notices if another process writes the file later.
  /// - Throws: 134080 for a URL of no file.
  convenience init(lookingAt url: URL, timeout: TimeInterval) throws {
    try self.init(url, timeout: timeout)
    stamp = FileStamp(path: path)
  }

  /// Whether the path stands for a private store, which has no file.
  var isPrivate: Bool { path == "/dev/null" }

  /// Whether the file's mode lets it be written.
  var isWritable: Bool { access(path, W_OK) == 0 }

  /// Reads the file's bytes; returns nil if there is no file.
  /// - Throws: 257 if the process may not read the file, 256 for a folder or a device, or if reading fails.
  func read() throws -> Data? {
    // O_NONBLOCK: if the file was replaced by a pipe, opening must not wait for the other end.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw readError(errno)
    }
    defer { close(file) }
    for _ in 0..<20 {
      let before = FileStamp(file)
      guard before?.isRegular == true else { throw unreadable("it is no regular file") }
      let data = try bytes(file, count: Int(before?.size ?? 0))
      if let before, data.count == Int(before.size), FileStamp(file) == before {
        stamp = before
        return data
      }
      usleep(10_000)
    }
    throw unreadable("somebody keeps writing it")
  }

  private func bytes(_ file: Int32, count: Int) throws -> Data {
    var data = Data(count: count)
    var filled = 0
    while filled < count {
      let got = data.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw readError(errno) }
      if got == 0 { break }
      filled += got
    }
    return data.prefix(filled)
  }

  // MARK: Writing

  /// Replaces the file's contents; the file's mode and owner stay.
  /// - Throws: 134050 if somebody else has written the file since, 134090 if the file stays locked, 513 if it may not be
  ///   written, 640 on a full disk, 642 on a read-only disk, 4 if the folder does not exist any more, else 512. On an error
  ///   the old file stays unchanged.
  func replace(with data: Data) throws {
    if isPrivate { return }
    let lock = try lock()
    defer { if lock >= 0 { close(lock) } }
    let current = lock < 0 ? nil : FileStamp(lock)
    // If the file was removed meanwhile, a new file overwrites nothing that others have written.
    if current != nil, current != stamp { throw changed }
    if current != nil, !isWritable { throw writeError(EACCES) }
    let working: WorkingFolder
    do { working = try WorkingFolder(beside: path) } catch { throw writeError(error.code.rawValue) }
    defer { working.remove() }
    let new = working.path + "/New"
    let written = try make(new, of: data, like: current)
    guard put(new, isNew: current == nil) else {
      let code = errno
      throw code == EEXIST ? changed : writeError(code)
    }
    stamp = written
    syncFolder()
  }

  /// Opens and locks the file, so that saves of several processes run one after the other; returns -1 if there is no file.
  private func lock() throws -> Int32 {
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else {
        if errno == ENOENT { return -1 }
        throw writeError(errno)
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        // The process that held the lock before may have replaced the file.
        if FileStamp(file)?.isSameFile(as: FileStamp(path: path)) == true { return file }
        close(file)
        continue
      }
      close(file)
      guard Date() < end else {
        throw NSError(
          coreData: NSPersistentStoreTimeoutError, "The store at \(path) stayed locked for \(timeout) seconds.",
          [NSFilePathErrorKey: path])
      }
      usleep(10_000)
    }
  }

  private func make(_ new: String, of data: Data, like old: FileStamp?) throws -> FileStamp? {
    // The new file gets the permissions of the old one; until then only its owner can read it.
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == nil ? modeOfNew ?? 0o666 : 0o600)
    guard file >= 0 else { throw writeError(errno) }
    defer { close(file) }
    // Only root can set the owner. For other users, the new file belongs to them.
    if let old, fchown(file, old.owner, old.group) == 0 || errno == EPERM { fchmod(file, old.mode & 0o777) }
    var done = 0
    while done < data.count {
      let count = data.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + done }, data.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure(new, errno) }
      done += count
    }
    guard fsync(file) == 0 else { throw failure(new, errno) }
    return FileStamp(file)
  }

  private func failure(_ new: String, _ code: Int32) -> NSError {
    unlink(new)
    return writeError(code)
  }

  private func put(_ new: String, isNew: Bool) -> Bool {
    guard isNew else { return rename(new, path) == 0 }
    // link(2), unlike rename(2), does not replace a file that another process has put there meanwhile.
    if link(new, path) == 0 {
      unlink(new)
      return true
    }
    // Not every file system has links.
    return errno != EEXIST && access(path, F_OK) != 0 && rename(new, path) == 0
  }

  /// Syncs the folder. A failure is no error, because the store is written already.
  private func syncFolder() {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  private var folder: String { (path as NSString).deletingLastPathComponent }
}

extension StoreFile {
  /// Makes sure that there is a folder for the file.
  /// - Throws: 256 if the folder is missing.
  func requireFolder() throws {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    throw NSError(
      coreData: CocoaError.Code.fileReadUnknown.rawValue,
      "The store at \(path) cannot be made: there is no folder \(folder).", [NSFilePathErrorKey: path])
  }

  /// The error for a file that is no store of its type.
  func corrupt(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The file at \(path) cannot be read: \(reason)",
      [NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason])
  }

  /// The error for a store whose file does not exist.
  var missing: NSError {
    NSError(
      coreData: CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no store at \(path).",
      [NSFilePathErrorKey: path])
  }

  private var changed: NSError {
    NSError(
      coreData: NSPersistentStoreSaveConflictsError,
      "The file at \(path) was written by somebody else since this store read it. Nothing was saved; remove the store "
        + "from its coordinator and add it again to read what is there now.", [NSFilePathErrorKey: path])
  }

  private func unreadable(_ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadUnknown.rawValue, "The store at \(path) cannot be read: \(reason).",
      [NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason])
  }

  private func readError(_ code: Int32) -> NSError {
    let cocoa: CocoaError.Code = code == EACCES || code == EPERM ? .fileReadNoPermission : .fileReadUnknown
    return systemError(cocoa, code, "read")
  }

  func writeError(_ code: Int32) -> NSError {
    let cocoa: CocoaError.Code =
      switch code {
      case EACCES, EPERM: .fileWriteNoPermission
      case ENOSPC, EDQUOT, EFBIG: .fileWriteOutOfSpace
      case EROFS: .fileWriteVolumeReadOnly
      case ENOENT, ENOTDIR: .fileNoSuchFile
      default: .fileWriteUnknown
      }
    return systemError(cocoa, code, "written")
  }

  private func systemError(_ cocoa: CocoaError.Code, _ code: Int32, _ what: String) -> NSError {
    let reason = String(cString: strerror(code))
    return NSError(
      coreData: cocoa.rawValue, "The store at \(path) cannot be \(what): \(reason).",
      [
        NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason,
        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code)),
      ])
  }
}
