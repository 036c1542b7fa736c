import CommandSupport
import Foundation

/// The name under which a file or a folder is written until it is complete: `.NAME-UUID` beside its place.
///
/// A lock shows that a process is writing it. One without a lock was left by a process that was killed, and is removed when the
/// next output is written to that place.
final class UnfinishedOutput {
  let path: String
  /// The path at which the output is when it is complete.
  let final: String
  /// The file or folder with the lock, which the system releases when the process ends.
  let descriptor: Int32
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
    Self.removeLeft(of: final)
    for _ in 0..<100 {
      let path = Self.start(of: final) + UUID().uuidString
      let descriptor = make(path)
      guard descriptor >= 0 else { throw Self.error(final, isFolder) }
      // Another process may have taken it for one that was left, before it was locked.
      var own = stat(), there = stat()
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, fstat(descriptor, &own) == 0,
        stat(path, &there) == 0, own.st_ino == there.st_ino
      {
        (self.path, self.final, self.descriptor, self.isFolder) = (path, final, descriptor, isFolder)
        return
      }
      close(descriptor)
    }
    errno = EAGAIN
    throw Self.error(final, isFolder)
  }

  deinit {
    if !isFinished { Self.remove(path) }
    close(descriptor)
  }

  /// Moves the output, which is on the disk, to its place.
  func finish() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL, rename(path, final) == 0 else {
      throw Self.error(final, isFolder)
    }
    isFinished = true
  }

  private static func error(_ final: String, _ isFolder: Bool) -> ToolError {
    ToolError("The \(isFolder ? "folder" : "file") \(final) cannot be written: \(String(cString: strerror(errno))).")
  }

  private static func start(of final: String) -> String {
    (final as NSString).deletingLastPathComponent + "/." + (final as NSString).lastPathComponent + "-"
  }

  private static func removeLeft(of final: String) {
    let start = start(of: final), folder = (start as NSString).deletingLastPathComponent
    let prefix = (start as NSString).lastPathComponent
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let path = folder + "/" + name
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        remove(path)
      }
      close(descriptor)
    }
  }

  private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
