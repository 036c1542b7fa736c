import CSQLite
import Foundation

/// Which file a path leads to.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil when there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// The error for a file that is not the one that was opened, with the code of SQLITE_READONLY_DBMOVED.
  static func movedError(_ code: CocoaError.Code, _ path: String) -> NSError {
    let reason =
      FileManager.default.fileExists(atPath: path)
      ? "another file has taken its place" : "it was removed or moved away"
    return NSError(
      domain: NSCocoaErrorDomain, code: code.rawValue,
      userInfo: [
        NSFilePathErrorKey: path, NSSQLiteErrorDomain: NSNumber(value: SQLITE_READONLY | 4 << 8),
        NSLocalizedDescriptionKey: "The file at \(path) is not the one that was opened: \(reason).",
        NSLocalizedFailureReasonErrorKey: reason, "reason": reason,
      ])
  }
}

extension SQLiteConnection {
  /// Checks that the file is still at the path at which it was opened: changes to a file without a name are lost.
  /// - Throws: 513, with SQLite's code 1032.
  func checkIsInPlace() throws {
    guard csqlite_has_moved(handle) != 0 else { return }
    throw FileIdentity.movedError(.fileWriteNoPermission, path)
  }
}
