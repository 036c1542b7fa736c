import CommandSupport
import Foundation
import OpenCoreData

/// Files that come to their places together, when all of them are complete.
///
/// Until then they are in working folders beside their places, one for all files of a folder, and none of them is open: their
/// number is not limited by the files that a process may have open.
final class UnfinishedFiles {
  private struct File {
    let path: String
    let final: String
    let isNew: Bool
  }

  private var folders: [String: WorkingFolder] = [:]
  private var files: [File] = []

  deinit { for folder in folders.values { folder.remove() } }

  /// Calls `body` with a file that it writes, and has it on the disk then. What is no regular file, such as a pipe, is written to
  /// directly.
  /// - Throws: a ``ToolError`` if the file cannot be written; the errors of `body`.
  func add(_ url: URL, like store: URL, _ body: (OutputLines) throws -> Void) throws {
    let place = OutputPlace(url, like: store)
    guard place.isFile else {
      let lines = try OutputLines(url, like: store)
      try body(lines)
      return try lines.finish()
    }
    let path = "\(try folder(beside: place.path).path)/\(files.count)"
    let lines = try OutputLines(newFileAt: path, for: place)
    try body(lines)
    try lines.finish()
    files.append(File(path: path, final: place.path, isNew: place.isNew))
  }

  private func folder(beside path: String) throws -> WorkingFolder {
    let parent = (path as NSString).deletingLastPathComponent
    if let known = folders[parent] { return known }
    do {
      let made = try WorkingFolder(beside: path)
      folders[parent] = made
      return made
    } catch {
      throw ToolError("The file \(path) cannot be written: \(String(cString: strerror(error.code.rawValue))).")
    }
  }

  /// Moves the files to their places. After a failure those that replaced nothing are gone.
  func finish() throws {
    for (number, file) in files.enumerated() where rename(file.path, file.final) != 0 {
      let code = errno
      for moved in files[..<number] where moved.isNew { unlink(moved.final) }
      throw ToolError("The file \(file.final) cannot be written: \(String(cString: strerror(code))).")
    }
  }
}
