import Foundation

/// What others may do with files that are made for a store: no more than with the store.
package enum FileMode {
  /// Of a store's file; what nobody else may read where there is none.
  static func ofFile(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o666 : 0o600
  }

  /// That of a folder with such files: whoever may read a file must be able to find it.
  static func folder(_ mode: mode_t) -> mode_t { mode & 0o666 | 0o700 | (mode & 0o444) >> 2 }
}
