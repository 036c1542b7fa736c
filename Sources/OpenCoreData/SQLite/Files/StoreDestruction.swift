import CSQLite
import Foundation

/// Empties a store so that everybody who has it open notices, and then takes its files away.
enum StoreDestruction {
  /// Destroys the store at a place. Where nothing is, only what an earlier store left beside it goes.
  /// - Throws: 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be written, 134090 when it
  ///   stays locked; with the option to force it, for a folder only, or where files cannot be removed.
  static func destroy(_ files: StoreFiles, options: StoreOptions) throws {
    if files.isPrivate { return }
    switch files.kind {
    case .missing: try removeFiles(files, values: nil)
    case .folder: throw files.unreadable("it is a folder")
    case .other: throw files.unreadable("it is no regular file")
    case .file:
      do {
        try emptyAndRemove(files, timeout: options.timeout)
      } catch  where options.forcesDestruction {
        try removeFiles(files, values: nil)
      }
    }
  }

  /// Makes sure that a file is a store, perhaps a damaged one, or nothing yet.
  /// - Throws: 259 for any other file.
  static func requireStore(_ files: StoreFiles, _ connection: SQLiteConnection) throws {
    let start = try StoreFileHeader.read(files.path).start
    guard start.isEmpty || start.starts(with: StoreFileHeader.magic) else {
      throw files.corrupt("it does not begin as a SQLite database does")
    }
    let isForeign = try unlessDamaged {
      guard try connection.integer("SELECT COUNT(*) FROM sqlite_master") != 0 else { return false }
      return try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_METADATA'") == 0
    }
    if isForeign == true { throw files.corrupt("it is a SQLite database without a store's metadata") }
  }

  /// What `body` gives; nil for a database that is damaged.
  static func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch  where SQLiteError.has(error, code: SQLITE_CORRUPT) || SQLiteError.has(error, code: SQLITE_NOTADB) {
      return nil
    }
  }

  /// The files that a store names and that go with it.
  static func ownNames(_ files: StoreFiles, _ connection: SQLiteConnection) throws -> Set<String> {
    let names = try unlessDamaged { try ExternalFileReport.names(in: connection) } ?? []
    return names.isEmpty ? names : names.subtracting(try self.names(in: neighbours(of: files)))
  }

  private static func emptyAndRemove(_ files: StoreFiles, timeout: TimeInterval) throws {
    let connection = try SQLiteConnection(
      path: files.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try requireStore(files, connection)
    // Stores that differ in their extension alone have one folder.
    let values = neighbours(of: files).isEmpty ? nil : try ownNames(files, connection)
    _ = csqlite_reset_database(connection.handle, 1)
    defer { _ = csqlite_reset_database(connection.handle, 0) }
    _ = try unlessDamaged { try connection.execute("VACUUM") }
    _ = csqlite_reset_database(connection.handle, 0)
    // Under the lock nobody can make a new store in a file that is about to go; one that has been made meanwhile stays.
    let isEmpty = try unlessDamaged {
      try connection.execute("BEGIN IMMEDIATE")
      return try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
    }
    defer { try? connection.execute("ROLLBACK") }
    if isEmpty != false { try removeFiles(files, values: values) }
  }

  /// - Parameter values: the external values to remove; nil for the whole support folder.
  private static func removeFiles(_ files: StoreFiles, values: Set<String>?) throws {
    if let values {
      let external = ExternalStorage(storePath: files.url.path)
      for name in values { try StoreFiles.remove(external.path(of: name)) }
    } else if FileManager.default.fileExists(atPath: files.supportFolder.path), neighbours(of: files).isEmpty {
      try FileManager.default.removeItem(at: files.supportFolder)
    }
    for path in files.besides + [files.path] { try StoreFiles.remove(path) }
    var status = stat()
    if lstat(files.url.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { try StoreFiles.remove(files.url.path) }
  }

  /// The other stores whose support folder has the same name.
  private static func neighbours(of files: StoreFiles) -> [URL] {
    let folder = files.url.deletingLastPathComponent()
    let own = files.url.lastPathComponent, stem = files.url.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.map(folder.appendingPathComponent).filter { other in
      // The index of a log must not be opened and closed: this process's locks on it would be gone.
      other.lastPathComponent != own && other.deletingPathExtension().lastPathComponent == stem
        && !["-wal", "-shm", "-journal"].contains(where: other.lastPathComponent.hasSuffix)
        && StoredModel.isDatabase(other)
    }
  }

  /// The files that other stores name: a copy made by hand names those of its original.
  private static func names(in stores: [URL]) throws -> Set<String> {
    try stores.reduce(into: []) { names, store in
      let found = try unlessDamaged {
        try ExternalFileReport.names(in: StoreInspection.open(store.path, timeout: StoreOptions.timeout(nil)))
      }
      names.formUnion(found ?? [])
    }
  }
}
