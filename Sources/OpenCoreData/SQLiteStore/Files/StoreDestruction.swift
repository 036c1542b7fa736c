import CSQLite
import Foundation

/// Empties a store so that everybody who has it open notices. As in Apple's framework, a database without tables remains,
/// which opens as a new store: clients remove that file next, and expect it to exist.
enum StoreDestruction {
  /// The user version of the file that remains of a destroyed store, "OCDe". It tells such a file from a file that another
  /// process is about to fill, and from stores, whose user version is 0.
  private static let mark: Int64 = 0x4F43_4465

  /// Destroys the store at a place. If there is no store, removes what an earlier store has left beside that place, and
  /// leaves an emptied file there, too, unless the folder is missing.
  ///
  /// What lies at a link's target is destroyed; the link stays unless the file is removed.
  /// - Parameters:
  ///   - removesFile: whether the emptied file is removed, too, and the link by which it was named.
  ///   - keepsLink: whether a link stays nevertheless.
  /// - Throws: 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be written, 134090 if the store
  ///   stays locked. With the option to force destruction, throws only for a folder, or if files cannot be removed.
  static func destroy(
    _ files: StoreFiles, options: StoreOptions, removesFile: Bool = false, keepsLink: Bool = false
  ) throws {
    try destroy(files, options, removesFile)
    if removesFile, !keepsLink, let link = files.links.first { try StoreFiles.remove(link) }
  }

  private static func destroy(_ files: StoreFiles, _ options: StoreOptions, _ removesFile: Bool) throws {
    if files.isPrivate { return }
    StrayedValues.move(files)
    switch files.kind {
    case .missing:
      try removeFiles(files, values: nil)
      if !removesFile, files.hasFolder { try leaveEmptied(files) }
    case .folder: throw files.unreadable("it is a folder")
    case .other: throw files.unreadable("it is no regular file")
    case .file:
      let isEmptied: Bool
      do {
        isEmptied = try empty(files, timeout: options.timeout, removesFile: removesFile)
      } catch  where options.forcesDestruction {
        isEmptied = false
      }
      if isEmptied { return }
      // The store is damaged, or destroyed by force. The database is removed even if the values cannot be removed, for
      // example because their folder cannot be opened. A second try, which finds no store, then removes the values.
      let values = Result { try removeValues(files, nil) }
      try removeDatabase(files)
      try values.get()
      if !removesFile { try leaveEmptied(files) }
    }
  }

  /// Makes sure that a store can be destroyed, without changing it.
  /// - Throws: as `destroy(_:options:)`.
  static func check(_ files: StoreFiles, options: StoreOptions) throws {
    if files.isPrivate || files.kind != .file || options.forcesDestruction { return }
    let connection = try SharedIndex.writable(files.path, timeout: options.timeout) { try requireStore(files, $0) }
    _ = try unlessDamaged {
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("ROLLBACK")
    }
  }

  /// Whether a database without tables is the remainder of a destroyed store.
  static func isEmptied(_ connection: SQLiteConnection) throws -> Bool {
    try connection.integer("PRAGMA user_version") == mark
  }

  /// Removes the remainder of a destroyed store, so that a new store gets a new file. Connections that are still open to the
  /// old file then cannot write into the new one.
  static func removeEmptied(_ path: String, timeout: TimeInterval) throws {
    let connection = try SharedIndex.writable(path, timeout: timeout)
    try connection.execute("BEGIN EXCLUSIVE")
    defer { try? connection.execute("ROLLBACK") }
    // Others may have removed the remainder meanwhile and made the new store.
    guard csqlite_has_moved(connection.handle) == 0, try isEmptied(connection),
      try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
    else { return }
    for suffix in ["-wal", "-shm", ""] { try StoreFiles.remove(path + suffix) }
  }

  /// Makes sure that a file is a store, possibly a damaged one, or an empty database.
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

  /// Returns the result of `body`; nil if SQLite says that the database is damaged.
  static func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch  where SQLiteError.has(error, code: SQLITE_CORRUPT) || SQLiteError.has(error, code: SQLITE_NOTADB) {
      return nil
    }
  }

  /// Returns the names of the files that this store names and its neighbours do not: these are removed with the store.
  static func ownNames(_ files: StoreFiles, _ connection: SQLiteConnection) throws -> Set<String> {
    let names = try unlessDamaged { try ExternalFileReport.names(in: connection) } ?? []
    return try names.isEmpty ? names : names.subtracting(self.names(in: files.neighbours()))
  }

  /// - Returns: false if the database is damaged and cannot be emptied.
  private static func empty(_ files: StoreFiles, timeout: TimeInterval, removesFile: Bool) throws -> Bool {
    let connection = try SharedIndex.writable(files.path, timeout: timeout) { try requireStore(files, $0) }
    // Stores whose names differ only in the extension share one folder.
    let values = try files.neighbours().isEmpty ? nil : ownNames(files, connection)
    let identifier = try unlessDamaged { try self.identifier(connection) } ?? nil
    // Where this process is killed before it has removed the values, the mark tells of them.
    let valuesMark = files.external.mark()
    var keepsMark = false
    defer { if !keepsMark { valuesMark?.remove() } }
    var isEmpty = try vacuum(connection)
    if isEmpty == false, let identifier, try self.identifier(connection) == identifier {
      // SQLite does not report a read that fails while it empties a database, and leaves the database as it was. So this
      // tries again.
      try connection.execute("ROLLBACK")
      isEmpty = try vacuum(connection)
      if isEmpty == false, try self.identifier(connection) == identifier {
        throw SQLiteError.make(SQLITE_IOERR, handle: nil, path: files.path, doing: "emptying the store")
      }
    }
    guard isEmpty == true else { return isEmpty != nil }
    keepsMark = true
    if removesFile {
      defer { try? connection.execute("ROLLBACK") }
      try removeFiles(files, values: values)
      keepsMark = false
      return true
    }
    try connection.execute("PRAGMA user_version = \(mark)")
    // Before the commit, since another process may then make a new store there, with values of its own.
    try removeValues(files, values)
    keepsMark = false
    try connection.execute("COMMIT")
    // This removes the log and its index, unless others have the database open: then the last of them removes the two files.
    _ = try? connection.rows("PRAGMA journal_mode = DELETE")
    return true
  }

  /// Empties a database and begins a transaction. Under the lock of the transaction nobody can make a new store in a file
  /// that is about to be removed; a store that somebody has made before stays.
  /// - Returns: whether the database is empty; nil if it is damaged.
  private static func vacuum(_ connection: SQLiteConnection) throws -> Bool? {
    _ = csqlite_reset_database(connection.handle, 1)
    defer { _ = csqlite_reset_database(connection.handle, 0) }
    _ = try unlessDamaged { try connection.execute("VACUUM") }
    _ = csqlite_reset_database(connection.handle, 0)
    // A file whose log is removed first must not be the store again.
    _ = try? connection.rows("PRAGMA wal_checkpoint(PASSIVE)")
    return try unlessDamaged {
      try connection.execute("BEGIN IMMEDIATE")
      return try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
    }
  }

  /// Returns the UUID of the store in a database; nil if the database has no store.
  private static func identifier(_ connection: SQLiteConnection) throws -> String? {
    guard try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_METADATA'") != 0 else {
      return nil
    }
    return try connection.rows("SELECT Z_UUID FROM Z_METADATA").first?[0]
  }

  /// Makes an emptied file where there is none: in the place of a store that could not be emptied, or where no store was.
  /// What others have begun to make there meanwhile stays.
  private static func leaveEmptied(_ files: StoreFiles) throws {
    let connection = try SQLiteConnection(
      path: files.path, readOnly: false, create: true, timeout: 0, pragmas: [])
    do {
      try connection.execute("BEGIN IMMEDIATE")
    } catch  where SQLiteError.has(error, code: SQLITE_BUSY) {
      return
    }
    defer { try? connection.execute("COMMIT") }
    if try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0 {
      try connection.execute("PRAGMA user_version = \(mark)")
    }
  }

  /// - Parameter values: the names of the external values to remove; nil for the whole support folder.
  private static func removeValues(_ files: StoreFiles, _ values: Set<String>?) throws {
    try removeStrayed(files)
    if let values {
      try remove(values, of: files)
    } else if files.hasSupportFolder, try files.neighbours().isEmpty {
      // If the folder is a link, the link is removed, and the folder to which it leads stays.
      do {
        let home = try files.home(), name = files.supportFolder.lastPathComponent
        // The values go before the mark that tells of them.
        try home.folderIfPresent(name)?.removeAll(ExternalStorage.valuesFolder)
        do throws(POSIXError) { try home.removeAll(name) } catch {
          // A mounted folder is empty by now, and stays.
          guard error.code == .EBUSY else { throw error }
        }
      } catch let error as POSIXError {
        throw SystemError.writing("The folder", files.supportFolder.path, error)
      }
    }
  }

  /// Removes what could not be moved from beside a link, unless it may be another store's.
  private static func removeStrayed(_ files: StoreFiles) throws {
    for place in files.external.strayed where try files.neighbours(ofLink: place.storePath).isEmpty {
      let support = ExternalStorage.supportFolder(forStoreAt: URL(fileURLWithPath: place.storePath))
      let home = support.deletingLastPathComponent().path
      do { try FolderHandle(home).removeAll(support.lastPathComponent) } catch {
        throw SystemError.writing("The folder", support.path, error)
      }
    }
  }

  private static func remove(_ values: Set<String>, of files: StoreFiles) throws {
    let external = files.external
    do {
      let folder = try external.open()
      for name in values { try folder.remove(name) }
    } catch {
      if error.code == .ENOENT { return }
      throw SystemError.writing("The folder of external values", external.folder, error)
    }
  }

  /// - Parameter values: as for `removeValues(_:_:)`.
  private static func removeFiles(_ files: StoreFiles, values: Set<String>?) throws {
    // The database is removed last, because a second try looks for it.
    try removeValues(files, values)
    // Where readers have kept the log from being moved into an emptied file, the file without its log is the store again.
    let pages = (try? StoreFileHeader.read(files.path))?.start.dropFirst(28).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    try removeDatabase(files, isLogFirst: pages ?? 0 <= 1)
  }

  /// - Parameter isLogFirst: whether the files beside the database are removed before it, so that a second try finds it.
  private static func removeDatabase(_ files: StoreFiles, isLogFirst: Bool = true) throws {
    for path in isLogFirst ? files.besides + [files.path] : [files.path] + files.besides {
      try StoreFiles.remove(path)
    }
  }

  /// Returns the names of the files that other stores name, because a copy made by hand names the files of its original.
  static func names(in stores: [URL]) throws -> Set<String> {
    try stores.reduce(into: []) { names, store in
      let found = try unlessDamaged {
        try ExternalFileReport.names(in: StoreInspection.open(store.path, timeout: StoreOptions.timeout(nil)))
      }
      names.formUnion(found ?? [])
    }
  }
}
