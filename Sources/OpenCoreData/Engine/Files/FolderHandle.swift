import Foundation

/// A folder that is held open. All files beside a store are reached through such a handle.
///
/// A file opened through the handle is a regular file of this very folder, even if another process replaces the file or
/// the folder meanwhile: no link is followed, and opening never waits for a pipe. A name is one part of a path. Names that
/// are read from the disk are C strings, because they need not be valid text.
package final class FolderHandle: Sendable {
  /// The greatest depth of folders that is removed or copied; a store's files are never that deep.
  static let deepest = 64

  /// O_PATH, which Swift does not import. It opens the folder to reach its entries, not to list them, so that the process
  /// needs one permission less.
  private static let passing: Int32 = 0o10000000

  let descriptor: Int32
  /// The path of the folder when it was opened, for messages.
  let path: String

  /// Opens the folder at a path that the client named; links in the path are followed.
  init(_ path: String) throws(POSIXError) {
    let descriptor = open(path, Self.passing | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    (self.descriptor, self.path) = (descriptor, path)
  }

  private init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  deinit { close(descriptor) }

  /// Opens a folder in this one. Throws ENOTDIR also for a link.
  func folder(_ name: UnsafePointer<CChar>) throws(POSIXError) -> FolderHandle {
    let descriptor = openat(descriptor, name, Self.passing | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    return FolderHandle(descriptor: descriptor, path: "\(path)/\(String(cString: name))")
  }

  /// Opens a folder in this one; returns nil if there is no folder of that name: nothing, a file or a link.
  /// - Throws: any other failure. A caller that took a failure for a missing folder would lose the folder's contents.
  func folderIfPresent(_ name: UnsafePointer<CChar>) throws(POSIXError) -> FolderHandle? {
    do {
      return try folder(name)
    } catch  where [.ENOENT, .ENOTDIR, .ELOOP].contains(error.code) {
      return nil
    }
  }

  /// Opens a folder in this one, and makes it if there is none; `isNew` tells whether it was made.
  func madeFolder(
    _ name: String, mode: mode_t
  ) throws(POSIXError) -> (folder: FolderHandle, isNew: Bool) {
    let isNew = mkdirat(descriptor, name, mode) == 0
    if !isNew, errno != EEXIST { throw .last }
    let folder = try folder(name)
    // Sets the mode explicitly, because the process's umask has reduced the mode of the new folder.
    if isNew { fchmodat(folder.descriptor, ".", mode, 0) }
    return (folder, isNew)
  }

  // MARK: Files

  /// Opens a regular file for reading. Throws ELOOP for a link, EINVAL for any other kind of file.
  func openFile(_ name: UnsafePointer<CChar>) throws(POSIXError) -> Int32 {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    // Opening a socket fails with ENXIO.
    guard file >= 0 else { throw errno == ENXIO ? POSIXError(.EINVAL) : .last }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      let error = POSIXError.last
      close(file)
      throw error
    }
    if status.st_mode & S_IFMT == S_IFREG { return file }
    close(file)
    throw POSIXError(.EINVAL)
  }

  /// Makes a new file of exactly that mode, independent of the process's umask. Throws EEXIST if the name exists.
  func makeFile(_ name: UnsafePointer<CChar>, mode: mode_t) throws(POSIXError) -> Int32 {
    // Only the owner can read the file until it has its mode.
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & 0o600)
    guard file >= 0 else { throw .last }
    fchmod(file, mode)
    return file
  }

  /// Makes an empty file of that mode for the store at a place. Any other error than that of an existing file is ignored,
  /// because opening the store reports it.
  /// - Throws: 516 if there is something already.
  static func makeEmptyFile(at url: URL, mode: mode_t) throws {
    do {
      close(try FolderHandle(url.deletingLastPathComponent().path).makeFile(url.lastPathComponent, mode: mode))
    } catch {
      if error.code == .EEXIST { throw SystemError.writing("The store", url.path, error) }
    }
  }

  /// Returns the status of an entry; for a link, the status of the link itself.
  func status(_ name: UnsafePointer<CChar>) throws(POSIXError) -> stat {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    return status
  }

  /// Removes a file or a link. It is no error if there is none.
  func remove(_ name: UnsafePointer<CChar>) throws(POSIXError) {
    if unlinkat(descriptor, name, 0) != 0, errno != ENOENT { throw .last }
  }

  /// Removes the entry of that name: a folder with all its contents; for a link, only the link itself.
  func removeAll(_ name: UnsafePointer<CChar>, depth: Int = 0) throws(POSIXError) {
    if unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
    guard errno == EISDIR || errno == EPERM else { throw .last }
    guard depth < Self.deepest else { throw POSIXError(.ENAMETOOLONG) }
    let folder = try folder(name)
    for entry in try folder.entries() { try folder.removeAll(entry, depth: depth + 1) }
    if unlinkat(descriptor, name, AT_REMOVEDIR) != 0, errno != ENOENT { throw .last }
  }

  /// Moves a file or a folder; a file that has the new name is replaced.
  func move(
    _ name: UnsafePointer<CChar>, to other: FolderHandle, as newName: UnsafePointer<CChar>
  ) throws(POSIXError) {
    if renameat(descriptor, name, other.descriptor, newName) != 0 { throw .last }
  }

  // MARK: The folder itself

  /// Returns the names of all entries of the folder, in no particular order.
  func entries() throws(POSIXError) -> [[CChar]] {
    let file = try openForReading()
    guard let folder = fdopendir(file) else {
      let error = POSIXError.last
      close(file)
      throw error
    }
    defer { closedir(folder) }
    var names: [[CChar]] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
        }
      }
      if name != [46, 0], name != [46, 46, 0] { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw .last }
    return names
  }

  /// Returns a name as text, for messages and comparisons.
  static func text(_ entry: [CChar]) -> String {
    String(decoding: entry.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the names that are valid text.
  func names() throws(POSIXError) -> [String] {
    try entries().compactMap { String(validating: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
  }

  /// Makes sure that the names are on the disk. File systems that cannot sync a folder give EINVAL.
  func synchronize() throws(POSIXError) {
    let file = try openForReading()
    defer { close(file) }
    if fsync(file) != 0, errno != EINVAL, errno != EROFS { throw .last }
  }

  /// Opens a descriptor by which the folder can be listed and locked.
  func openForReading() throws(POSIXError) -> Int32 {
    let file = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    return file
  }
}
