import Foundation

/// Values that differ between a file before and after it was written.
package struct FileState: Equatable {
  private let size: Int
  private let inode: UInt
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (size, inode) = (Int(status.st_size), UInt(status.st_ino))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
