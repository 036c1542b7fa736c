import Foundation

/// What tells one state of store files from another.
enum StoreStamp {
  /// Nil if one of the stores has no file, and so nothing that a cache could be compared with.
  static func text(of all: [NSPersistentStore], _ affected: [NSPersistentStore]?) -> String? {
    var parts: [String] = []
    for store in all where affected?.contains(where: { $0 === store }) ?? true {
      guard let url = store.url, url.isFileURL, url.path != "/dev/null", let file = file(url.path) else { return nil }
      parts.append("\(store.identifier ?? "") \(file)")
      if store is SQLiteStore { parts.append(log(url.path)) }
    }
    return parts.joined(separator: "\n")
  }

  private static func file(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev).\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// A log that is empty says nothing, and opening the store makes one.
  private static func log(_ path: String) -> String {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return "-" }
    return "\(status.st_size) \(index(path + "-shm"))"
  }

  /// The header of SQLite's index of the write-ahead log, which every commit changes.
  private static func index(_ path: String) -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { return "-" }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 48))?.base64EncodedString() ?? "-"
  }
}
