import Foundation

/// The first hundred bytes of a SQLite file: enough to tell what is none, and what was cut short, without opening it.
enum StoreFileHeader {
  /// - Throws: 259 for a file that is not a SQLite database or is shorter than it says; 256 for one that cannot be read.
  static func check(_ path: String) throws {
    let header: [UInt8], size: UInt64
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      header = [UInt8](try handle.read(upToCount: 100) ?? Data())
      size = try handle.seekToEnd()
    } catch {
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue,
        "The file at \(path) cannot be read: \(reason(path) ?? error.localizedDescription).",
        [NSFilePathErrorKey: path, NSUnderlyingErrorKey: error])
    }
    guard !header.isEmpty else { return }
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw corrupt(path, "it does not begin as a SQLite database does")
    }
    let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
    let pages = header[28..<32].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // With a write-ahead log the main file may lag behind; SQLite itself judges then.
    let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? NSNumber)?.int64Value ?? 0
    let expected = pages * (pageSize == 1 ? 65536 : pageSize)
    if log == 0, size < expected {
      throw corrupt(path, "it has \(size) bytes where its header says \(expected): the end is missing")
    }
  }

  /// Whether the database is in WAL mode: its header says so without SQLite opening it.
  static func isInLogMode(_ path: String) throws -> Bool {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: 20) ?? Data()).dropFirst(18) == [2, 2]
  }

  /// Why a file cannot be read, in more words than Foundation has.
  private static func reason(_ path: String) -> String? {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return "it is a folder"
    }
    return access(path, R_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private static func corrupt(_ path: String, _ reason: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The file at \(path) is not a readable store: \(reason).",
      [NSFilePathErrorKey: path, NSLocalizedFailureReasonErrorKey: reason])
  }
}
