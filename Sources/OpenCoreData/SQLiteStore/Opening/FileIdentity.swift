import CSQLite
import Foundation

/// The identity of the file to which a path leads.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Returns nil if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// Returns the error for a file that is not the one that was opened, with the code of SQLITE_READONLY_DBMOVED.
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
  /// Makes sure that the file is still where it was opened, because data that are written to a removed file are lost.
  /// - Throws: 513, with SQLite's code 1032.
  func checkIsInPlace() throws {
    guard csqlite_has_moved(handle) != 0 else { return }
    throw FileIdentity.movedError(.fileWriteNoPermission, path)
  }
}
