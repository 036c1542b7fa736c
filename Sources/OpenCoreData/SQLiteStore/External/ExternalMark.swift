import Foundation

/// A mark in a store's support folder, `.<UUID>.OCDChanging`: a process has files of external values there that no row names
/// yet, or that no row names any more.
///
/// The mark is an empty file. It is made before the first such file, and removed when all of them are named or gone. A lock on
/// it shows that the process is alive. So a mark without a lock tells that a process was killed, and only then does anybody
/// look for the files that it has left (`ExternalFileCleaning`).
final class ExternalMark: Sendable {
  private static let suffix = ".OCDChanging"

  private let support: FolderHandle
  private let name: String
  /// The descriptor that holds the lock, which the system releases when the process ends.
  private let file: Int32

  private init(_ support: FolderHandle, _ name: String, _ file: Int32) {
    (self.support, self.name, self.file) = (support, name, file)
  }

  deinit { close(file) }

  /// Makes a mark.
  convenience init(in support: FolderHandle) throws(POSIXError) {
    let name = ".\(UUID().uuidString)\(Self.suffix)"
    let file = try support.makeFile(name, mode: 0o600)
    // On a file system without locks, no process takes others' marks for left ones.
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(file)
      try? support.remove(name)
      throw POSIXError(.EAGAIN)
    }
    self.init(support, name, file)
  }

  /// Whether the mark has not been removed, for example together with the store.
  var isThere: Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_nlink > 0
  }

  /// Removes the mark: the process has no such files any more.
  func remove() { try? support.remove(name) }

  /// Makes the mark as young as a new one, since there are new files, or so that nobody looks at it for a while.
  func renew() { futimens(file, nil) }

  /// Whether an entry of a support folder is a mark.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(suffix)
      && UUID(uuidString: String(name.dropFirst().dropLast(suffix.count))) != nil
  }

  /// Returns the marks that killed processes have left, with their locks, so that no other process looks at them meanwhile.
  /// - Parameter age: the age in seconds from which marks are returned. No file of its process is younger than a mark.
  static func left(in support: FolderHandle, olderThan age: TimeInterval) -> [ExternalMark] {
    let latest = Date(timeIntervalSinceNow: -age).timeIntervalSince1970
    return ((try? support.names()) ?? []).filter(isName).compactMap { name in
      guard let there = try? support.status(name), there.st_uid == geteuid(),
        TimeInterval(there.st_mtim.tv_sec) <= latest, let file = try? support.openFile(name)
      else { return nil }
      var own = stat()
      guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &own) == 0, own.st_nlink > 0 else {
        close(file)
        return nil
      }
      return ExternalMark(support, name, file)
    }
  }
}

extension ExternalStorage {
  /// Makes a mark; returns nil if there is no support folder, or if it cannot be written.
  func mark() -> ExternalMark? { try? ExternalMark(in: openSupport()) }
}
