import CommandSupport
import Foundation

/// Writes lines to standard output or a file, many at a time.
///
/// A file is written under another name until `finish()` renames it, so that a failure leaves the previous file.
final class OutputLines {
  private let handle: FileHandle
  private var buffer = Data()
  /// The final path and the path of the unfinished file; nil for output that is not a regular file.
  private let place: (final: String, unfinished: String)?
  private let isNew: Bool
  private var isFinished = false

  /// Writes to standard output.
  init() {
    handle = .standardOutput
    (place, isNew) = (nil, false)
  }

  /// Opens a new file, or one that replaces an existing file. Contents of a store are written with the permissions of the
  /// store's file. Output that is not a regular file, such as a pipe, is written to directly.
  /// - Throws: A ``ToolError`` if the file cannot be written.
  init(_ url: URL, like store: URL) throws {
    var status = stat()
    let readers = stat(store.path, &status) == 0 ? status.st_mode & 0o666 | 0o600 : 0o600
    let isThere = stat(url.path, &status) == 0
    let isFile = !isThere || status.st_mode & S_IFMT == S_IFREG
    // A symbolic link stays, and leads to the new file.
    let path = isFile ? url.resolvingSymlinksInPath().path : url.path
    let name = "\((path as NSString).lastPathComponent)-\(UUID().uuidString)"
    let unfinished = (path as NSString).deletingLastPathComponent + "/." + name
    let written = isFile ? unfinished : path
    let mode = isThere ? status.st_mode & readers : readers
    let file = open(written, isFile ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_CLOEXEC, mode)
    guard file >= 0 else {
      throw ToolError("The file \(url.path) cannot be written: \(String(cString: strerror(errno))).")
    }
    if isFile, isThere { fchmod(file, mode) }
    handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    place = isFile ? (path, unfinished) : nil
    isNew = !isThere
  }

  deinit { if let place, !isFinished { unlink(place.unfinished) } }

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
    guard let place else { return }
    guard fsync(handle.fileDescriptor) == 0 || errno == EINVAL, rename(place.unfinished, place.final) == 0 else {
      throw ToolError("The file \(place.final) cannot be written: \(String(cString: strerror(errno))).")
    }
    isFinished = true
  }

  /// Removes the finished file, unless it replaced an existing one.
  func takeBack() {
    if let place, isFinished, isNew { unlink(place.final) }
  }
}
