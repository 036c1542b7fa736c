import Foundation

/// The identity of a file: its device and its file number.
struct FileMark: Equatable {
  let device: UInt64
  let number: UInt64

  init?(_ url: URL) {
    var status = stat()
    guard url.isFileURL, stat(url.path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
