import Foundation

// A database, and the files that SQLite keeps beside it.
extension StoreFiles {
  /// The other databases whose values are in the same folder.
  /// - Throws: 256 or 257 if they cannot be found: otherwise their values would be taken for unused files.
  func neighbours() throws -> [URL] {
    // Without the folder there is nothing to share.
    guard hasSupportFolder else { return [] }
    let folder = try home()
    let own = url.lastPathComponent, stem = url.deletingPathExtension().lastPathComponent
    let names: [String]
    do { names = try folder.names() } catch { throw SystemError.reading("The folder", folder.path, error) }
    return try names.map { URL(fileURLWithPath: folder.path).appendingPathComponent($0) }.filter { other in
      // The index of a log must not be opened and closed: this process's locks on it would be gone.
      guard other.lastPathComponent != own, other.deletingPathExtension().lastPathComponent == stem,
        !["-wal", "-shm", "-journal"].contains(where: other.lastPathComponent.hasSuffix),
        try StoreFiles(other).kind == .file
      else { return false }
      return try StoreFileHeader.read(other.path).start.starts(with: StoreFileHeader.magic)
    }
  }

  /// The files that SQLite keeps beside the database.
  var besides: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }
}
