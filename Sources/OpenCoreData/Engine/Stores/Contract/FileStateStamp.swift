import Foundation

/// A stamp that differs between two states of a file.
package enum FileStateStamp {
  /// Returns the stamp as text; nil if there is no file.
  package static func text(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev).\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}
