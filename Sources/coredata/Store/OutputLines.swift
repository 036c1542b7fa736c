import CommandSupport
import Foundation

/// Writes lines to standard output or a file, many at a time.
final class OutputLines {
  private let handle: FileHandle
  private var buffer = Data()

  /// Standard output.
  init() { handle = .standardOutput }

  /// A new file, or one emptied.
  /// - Throws: a ``ToolError`` if it cannot be written.
  init(_ url: URL) throws {
    guard FileManager.default.createFile(atPath: url.path, contents: nil),
      let handle = try? FileHandle(forWritingTo: url)
    else { throw ToolError("The file \(url.path) cannot be written: \(String(cString: strerror(errno))).") }
    self.handle = handle
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
