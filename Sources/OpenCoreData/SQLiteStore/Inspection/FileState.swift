import Foundation

/// The state of a file, which differs after somebody has written to the file.
package struct FileState: Equatable {
  private let size: Int
  private let inode: UInt
  private let seconds: Int
  private let nanoseconds: Int

  /// Returns nil if there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (size, inode) = (Int(status.st_size), UInt(status.st_ino))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
