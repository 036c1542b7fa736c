import CommandSupport
import Foundation
import OpenCoreData

/// A file or a folder that is written in a working folder beside its place, and is at its place when it is complete.
///
/// What a process leaves that was killed is removed with its working folder, when the next one is made there.
final class UnfinishedOutput {
  /// The path at which the output is while it is written.
  let path: String
  /// The path at which the output is when it is complete.
  let final: String
  /// The open file or folder.
  let descriptor: Int32
  private let working: WorkingFolder
  private let isFolder: Bool
  private(set) var isFinished = false

  /// Makes an empty file.
  convenience init(fileAt final: String, mode: mode_t) throws {
    try self.init(final, isFolder: false) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
  }

  /// Makes an empty folder.
  convenience init(folderAt final: String) throws {
    try self.init(final, isFolder: true) {
      mkdir($0, 0o777) == 0 ? open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
    }
  }

  private init(_ final: String, isFolder: Bool, _ make: (String) -> Int32) throws {
    (self.final, self.isFolder) = (final, isFolder)
    do {
      working = try WorkingFolder(beside: final)
    } catch { throw Self.error(final, isFolder, error.code.rawValue) }
    path = working.path + "/" + (final as NSString).lastPathComponent
    descriptor = make(path)
    guard descriptor >= 0 else {
      let code = errno
      working.remove()
      throw Self.error(final, isFolder, code)
    }
  }

  deinit {
    if !isFinished { working.remove() }
    close(descriptor)
  }

  /// Moves the output, which is on the disk then, to its place.
  func finish() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL, rename(path, final) == 0 else {
      throw Self.error(final, isFolder, errno)
    }
    isFinished = true
    working.remove()
  }

  private static func error(_ final: String, _ isFolder: Bool, _ code: Int32) -> ToolError {
    ToolError("The \(isFolder ? "folder" : "file") \(final) cannot be written: \(String(cString: strerror(code))).")
  }
}
