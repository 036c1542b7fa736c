import Foundation

/// The file numbers, sizes and times of a store's file, its write-ahead log and its rollback journal. They change whenever the
/// store is written.
struct StoreStamp: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  private let files: [File?]
  private let read: Int

  /// Reads the stamp; nil if the store is not a file.
  init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    files = ["", "-wal", "-journal"].map { Self.file(url.path + $0) }
    guard files[0] != nil else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    read = now.tv_sec
  }

  static func == (one: Self, other: Self) -> Bool { one.files == other.files }

  /// Whether a later change is certain to have another time. The clock of a file system advances some hundred times a second,
  /// so the last change must be at least a second old.
  var isSettled: Bool { files.allSatisfy { ($0?.changed[0] ?? 0) < read - 1 } }

  private static func file(_ path: String) -> File? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return File(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec, status.st_mtim.tv_sec, status.st_mtim.tv_nsec])
  }
}
