import Foundation

// The files that SQLite keeps beside a database, and the databases that share its folder of values.
extension StoreFiles {
  /// Returns the other databases whose values are in the same folder.
  /// - Throws: 256 or 257 if the databases cannot be found out. Otherwise their values would be taken for unused files.
  func neighbours() throws -> [URL] {
    // Without the folder, there is nothing to share.
    guard hasSupportFolder else { return [] }
    let folder = try home()
    let own = url.lastPathComponent, stem = url.deletingPathExtension().lastPathComponent
    let names: [String]
    do { names = try folder.names() } catch { throw SystemError.reading("The folder", folder.path, error) }
    return try names.map { URL(fileURLWithPath: folder.path).appendingPathComponent($0) }.filter { other in
      // The index of a log must not be opened and closed: that would end this process's locks on it.
      guard other.lastPathComponent != own, other.deletingPathExtension().lastPathComponent == stem,
        !["-wal", "-shm", "-journal"].contains(where: other.lastPathComponent.hasSuffix),
        try StoreFiles(other).kind == .file
      else { return false }
      return try StoreFileHeader.read(other.path).start.starts(with: StoreFileHeader.magic)
    }
  }

  /// The paths of the files that SQLite keeps beside the database.
  var besides: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }
}
