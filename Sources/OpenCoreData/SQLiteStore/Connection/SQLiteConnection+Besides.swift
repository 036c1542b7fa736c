import Foundation

extension SQLiteConnection {
  /// Makes sure that what lies in the places of the files that SQLite keeps beside a database are regular files. SQLite opens
  /// whatever lies there: it would wait for the other end of a pipe, and take a device for a journal.
  /// - Throws: 256 with the path of what is no regular file.
  static func checkBesides(_ path: String) throws {
    for place in ["-wal", "-shm", "-journal"].lazy.map({ path + $0 }) {
      var status = stat()
      guard lstat(place, &status) == 0 else { continue }
      let kind =
        switch status.st_mode & S_IFMT {
        case S_IFREG: ""
        case S_IFLNK: "a link"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
      if kind.isEmpty { continue }
      let reason = "\(place) is \(kind), where SQLite keeps a file of the store"
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue, "The store at \(path) cannot be opened: \(reason).",
        [NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason])
    }
  }
}
