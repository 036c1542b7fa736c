import CommandSupport
import Foundation

/// Writes lines to standard output or a file, many at a time.
///
/// A file is written beside its place and put there by `finish()`: what fails leaves what was there before.
final class OutputLines {
  private let handle: FileHandle
  private var buffer = Data()
  /// Where the file is to be, and where it is written; nil for what is no file.
  private let place: (final: String, unfinished: String)?
  private let isNew: Bool
  private var isFinished = false

  /// Standard output.
  init() {
    handle = .standardOutput
    (place, isNew) = (nil, false)
  }

  /// A new file, or one in the place of another, for what comes out of a store: nobody may read it who may not read the store.
  /// What is no regular file, such as a pipe, is written to as it is.
  /// - Throws: a ``ToolError`` if it cannot be written.
  init(_ url: URL, like store: URL) throws {
    var status = stat()
    let readers = stat(store.path, &status) == 0 ? status.st_mode & 0o666 | 0o600 : 0o600
    let isThere = stat(url.path, &status) == 0
    let isFile = !isThere || status.st_mode & S_IFMT == S_IFREG
    // A link stays, and leads to the new file.
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

  /// Writes what is left.
  func flush() throws {
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      throw ToolError("The output cannot be written", error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left, and puts the file in its place.
  func finish() throws {
    try flush()
    guard let place else { return }
    guard fsync(handle.fileDescriptor) == 0 || errno == EINVAL, rename(place.unfinished, place.final) == 0 else {
      throw ToolError("The file \(place.final) cannot be written: \(String(cString: strerror(errno))).")
    }
    isFinished = true
  }

  /// Removes what was put in its place, where nothing was before.
  func takeBack() {
    if let place, isFinished, isNew { unlink(place.final) }
  }
}
