import Foundation

/// A stamp that differs after a file was replaced by another one or was written.
struct FileStamp: Equatable {
  let device: dev_t
  let inode: ino_t
  let size: off_t
  private let seconds: Int
  private let nanoseconds: Int
  let mode: mode_t
  let owner: uid_t
  let group: gid_t

  init?(_ file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    (mode, owner, group) = (status.st_mode, status.st_uid, status.st_gid)
  }

  var isRegular: Bool { mode & S_IFMT == S_IFREG }

  func isSameFile(as other: FileStamp?) -> Bool { device == other?.device && inode == other?.inode }

  /// Leaves out mode and owner, which may change while the contents of the file stay the same.
  static func == (a: FileStamp, b: FileStamp) -> Bool {
    a.isSameFile(as: b) && a.size == b.size && a.seconds == b.seconds && a.nanoseconds == b.nanoseconds
  }
}
