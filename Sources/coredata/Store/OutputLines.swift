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

  /// Writes to standard output.
  init() {
    handle = .standardOutput
    unfinished = nil
  }

  /// Opens a new file, or one that replaces an existing file. Contents of a store are written with the permissions of the
  /// store's file. Output that is not a regular file, such as a pipe, is written to directly.
  /// - Throws: A ``ToolError`` if the file cannot be written.
  init(_ url: URL, like store: URL) throws {
    let place = OutputPlace(url, like: store)
    if place.isFile {
      let file = try UnfinishedOutput(fileAt: place.path, mode: place.mode)
      if !place.isNew { fchmod(file.descriptor, place.mode) }
      handle = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false)
      unfinished = file
    } else {
      handle = try Self.open(place.path, O_WRONLY | O_CLOEXEC, 0)
      unfinished = nil
    }
  }

  /// Makes a file that is moved to its place by somebody else, or with the folder that it is in.
  /// - Throws: A ``ToolError`` if the file cannot be written.
  init(newFileAt path: String, for place: OutputPlace) throws {
    handle = try Self.open(path, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, place.mode)
    if !place.isNew { fchmod(handle.fileDescriptor, place.mode) }
    unfinished = nil
  }

  private static func open(_ path: String, _ flags: Int32, _ mode: mode_t) throws -> FileHandle {
    let file = Foundation.open(path, flags, mode)
    guard file >= 0 else {
      throw ToolError("The file \(path) cannot be written: \(String(cString: strerror(errno))).")
    }
    return FileHandle(fileDescriptor: file, closeOnDealloc: true)
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
    // A file that is moved later has to be on the disk by then. A pipe or a terminal cannot be synced.
    if unfinished == nil, fsync(handle.fileDescriptor) != 0, ![EINVAL, EROFS].contains(errno) {
      throw ToolError("The output cannot be written: \(String(cString: strerror(errno))).")
    }
    try unfinished?.finish()
  }
}

/// Where output goes to.
struct OutputPlace {
  let path: String
  /// Whether it is a regular file, or will be.
  let isFile: Bool
  let isNew: Bool
  /// The permissions of the file: those of the store whose contents it gets, and no more than those of the file that it replaces.
  let mode: mode_t

  init(_ url: URL, like store: URL) {
    var status = stat()
    let readers = stat(store.path, &status) == 0 ? status.st_mode & 0o666 | 0o600 : 0o600
    isNew = stat(url.path, &status) != 0
    isFile = isNew || status.st_mode & S_IFMT == S_IFREG
    // A symbolic link stays, and leads to the new file.
    path = isFile ? url.resolvingSymlinksInPath().path : url.path
    mode = isNew ? readers : status.st_mode & readers
  }
}
