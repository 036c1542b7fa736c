import Foundation

// The files that SQLite keeps beside a database, and the databases that share its folder of values.
extension StoreFiles {
  /// Returns the other databases whose values are in the same folder.
  /// - Throws: 256 or 257 if the databases cannot be found out. Otherwise their values would be taken for unused files.
  func neighbours() throws -> [URL] {
    // Without the folder, there is nothing to share.
    guard hasSupportFolder else { return [] }
    return try neighbours(of: URL(fileURLWithPath: path), in: home())
  }

  /// Returns the databases whose values are in the same folder as those that earlier versions have put beside a link.
  /// - Throws: as `neighbours()`.
  func neighbours(ofLink link: String) throws -> [URL] {
    let link = URL(fileURLWithPath: link), path = link.deletingLastPathComponent().path
    let folder: FolderHandle
    do { folder = try FolderHandle(path) } catch { throw SystemError.reading("The folder", path, error) }
    return try neighbours(of: link, in: folder)
  }

  private func neighbours(of place: URL, in folder: FolderHandle) throws -> [URL] {
    let own = place.lastPathComponent, stem = place.deletingPathExtension().lastPathComponent
    let names: [String]
    do { names = try folder.names() } catch { throw SystemError.reading("The folder", folder.path, error) }
    return try names.map { URL(fileURLWithPath: folder.path).appendingPathComponent($0) }.filter { other in
      // The index of a log must not be opened and closed: that would end this process's locks on it.
      guard other.lastPathComponent != own, other.deletingPathExtension().lastPathComponent == stem,
        !["-wal", "-shm", "-journal"].contains(where: other.lastPathComponent.hasSuffix),
        // A link to this store is no other store.
        case let files = try StoreFiles(other), files.kind == .file, !files.isSame(as: self)
      else { return false }
      return try StoreFileHeader.read(other.path).start.starts(with: StoreFileHeader.magic)
    }
  }

  /// The paths of the files that SQLite keeps beside the database.
  var besides: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }
}
