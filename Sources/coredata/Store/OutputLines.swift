import CommandSupport
import Foundation

/// Writes lines to standard output or a file, many at a time.
final class OutputLines {
  private let handle: FileHandle
  private var buffer = Data()

  /// Standard output.
  init() { handle = .standardOutput }

  /// A new file, or one emptied, for what comes out of a store: nobody may read it who may not read the store.
  /// - Throws: a ``ToolError`` if it cannot be written.
  init(_ url: URL, like store: URL) throws {
    var status = stat()
    let mode = stat(store.path, &status) == 0 ? status.st_mode & 0o666 : 0o600
    let file = open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC, mode | 0o600)
    guard file >= 0, fstat(file, &status) == 0 else {
      throw ToolError("The file \(url.path) cannot be written: \(String(cString: strerror(errno))).")
    }
    if status.st_mode & S_IFMT == S_IFREG {
      fchmod(file, status.st_mode & (mode | 0o600))
      ftruncate(file, 0)
    }
    handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
  }

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
}
