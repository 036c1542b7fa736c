import Foundation

/// The header of a store's file, to be restored together with the store's content. Restoring the content alone would leave
/// another change counter, and perhaps another journal mode.
package struct StoreHeaderImage {
  private let bytes: [UInt8]

  /// The places of the header that depend on the history of the file: the journal mode, the counters of changes of the file
  /// and of its schema, and the version of SQLite that has written the file.
  private static let ownPlaces = Set([18, 19]).union(24..<28).union(40..<44).union(92..<100)

  /// Returns nil if the file has no header, or if its log is not empty.
  package init?(of url: URL) {
    let path = RealPath(url.path).path
    guard StoreInspection.size(path + "-wal") == 0, let start = try? StoreFileHeader.read(path).start,
      start.count == 100
    else { return nil }
    bytes = start
  }

  /// Puts the header back. Leaves the file as it is if the headers differ in other places than `ownPlaces`, or if others use
  /// the file so that its log cannot be emptied.
  package func restore(to url: URL, timeout: TimeInterval = 5) throws {
    let path = RealPath(url.path).path
    let connection = try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    if bytes[18] == 1 { _ = try connection.rows("PRAGMA journal_mode = DELETE") }
    _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.execute("BEGIN EXCLUSIVE")
    defer { try? connection.execute("ROLLBACK") }
    let now = try StoreFileHeader.read(path).start
    guard now.count == bytes.count, StoreInspection.size(path + "-wal") == 0 else { return }
    let different = bytes.indices.filter { now[$0] != bytes[$0] }
    guard !different.isEmpty, different.allSatisfy(Self.ownPlaces.contains) else { return }
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    // Closing the file ends this process's locks on it; they are not needed any more.
    defer { close(file) }
    for place in different { withUnsafeBytes(of: bytes[place]) { _ = pwrite(file, $0.baseAddress, 1, off_t(place)) } }
    fsync(file)
  }
}
