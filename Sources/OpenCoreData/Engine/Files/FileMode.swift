import Foundation

/// The permissions of files that are made for a store: never wider than those of the store.
package enum FileMode {
  /// The permissions of a store's file; for a missing file, those of a file that only its owner can read.
  static func ofFile(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o666 : 0o600
  }

  /// The mode of a folder with such files: a user who may read the files may also enter the folder.
  static func folder(_ mode: mode_t) -> mode_t { mode & 0o666 | 0o700 | (mode & 0o444) >> 2 }
}
