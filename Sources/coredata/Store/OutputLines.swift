import CommandSupport
import Foundation

/// Writes lines to standard output or a file, many at a time.
///
/// A file is written under another name until `finish()` renames it, so that a failure or a kill leaves the previous file.
final class OutputLines {
  private let handle: FileHandle
  private var buffer = Data()
  /// The file until it is complete; nil for output that is not a regular file.
  private let unfinished: UnfinishedOutput?
  private let isNew: Bool

  /// Writes to standard output.
  init() {
    handle = .standardOutput
    (unfinished, isNew) = (nil, false)
  }

  /// Opens a new file, or one that replaces an existing file. Contents of a store are written with the permissions of the
  /// store's file. Output that is not a regular file, such as a pipe, is written to directly.
  /// - Parameter isInside: Whether the file is in a folder that is written under another name itself.
  /// - Throws: A ``ToolError`` if the file cannot be written.
  init(_ url: URL, like store: URL, isInside: Bool = false) throws {
    var status = stat()
    let readers = stat(store.path, &status) == 0 ? status.st_mode & 0o666 | 0o600 : 0o600
    let isThere = stat(url.path, &status) == 0
    let isFile = !isThere || status.st_mode & S_IFMT == S_IFREG
    // A symbolic link stays, and leads to the new file.
    let path = isFile ? url.resolvingSymlinksInPath().path : url.path
    let mode = isThere ? status.st_mode & readers : readers
    isNew = !isThere
    if isFile, !isInside {
      let file = try UnfinishedOutput(fileAt: path, mode: mode)
      if isThere { fchmod(file.descriptor, mode) }
      handle = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false)
      unfinished = file
    } else {
      let file = open(path, O_WRONLY | O_CLOEXEC | (isInside ? O_CREAT | O_EXCL : 0), mode)
      guard file >= 0 else {
        throw ToolError("The file \(url.path) cannot be written: \(String(cString: strerror(errno))).")
      }
      handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      unfinished = nil
    }
  }

  func write(_ line: String) throws {
    buffer.append(contentsOf: line.utf8)
    buffer.append(0x0A)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Writes the buffered lines.
  func flush() throws {
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      throw ToolError("The output cannot be written", error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the buffered lines, and moves the file to its place.
  func finish() throws {
    try flush()
    // A file in a folder that is moved later has to be on the disk by then. A pipe or a terminal cannot be synced.
    if unfinished == nil, fsync(handle.fileDescriptor) != 0, ![EINVAL, EROFS].contains(errno) {
      throw ToolError("The output cannot be written: \(String(cString: strerror(errno))).")
    }
    try unfinished?.finish()
  }

  /// Removes the finished file, unless it replaced an existing one.
  func takeBack() {
    if let unfinished, unfinished.isFinished, isNew { unlink(unfinished.final) }
  }
}
