import CSQLite
import Foundation

/// Empties a store so that every program that has it open notices. A database without tables remains, which opens as a new
/// store. Apple's framework leaves such a file too: clients remove it next, and expect it to exist.
enum StoreDestruction {
  /// The user version of the file that a destroyed store leaves, "OCDe". It tells such a file from one that another
  /// process is about to fill, and from stores, which have 0.
  private static let mark: Int64 = 0x4F43_4465

  /// Destroys the store at a place. If there is no store, only files that an earlier store has left beside the place are
  /// removed.
  /// - Parameter removesFile: whether the emptied file is removed, too.
  /// - Throws: 259 for a file that is no store, 256 for a folder, 513 for a file that cannot be written, 134090 if it stays
  ///   locked; with the option to force it, only for a folder, or if files cannot be removed.
  static func destroy(_ files: StoreFiles, options: StoreOptions, removesFile: Bool = false) throws {
    if files.isPrivate { return }
    switch files.kind {
    case .missing: try removeFiles(files, values: nil)
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
      // If the destruction is forced, or the database damaged, the database is removed even if its values cannot be, for
      // instance because their folder cannot be opened. A second call, which finds no store, removes them.
      let values = Result { try removeValues(files, nil) }
      try removeDatabase(files)
      try values.get()
      if !removesFile { try leaveEmptied(files) }
    }
  }

  /// Makes sure that a store can be destroyed, and leaves it as it is.
  /// - Throws: as `destroy(_:options:)`.
  static func check(_ files: StoreFiles, options: StoreOptions) throws {
    if files.isPrivate || files.kind != .file || options.forcesDestruction { return }
    let connection = try SQLiteConnection(
      path: files.path, readOnly: false, create: false, timeout: options.timeout, pragmas: [])
    try requireStore(files, connection)
    _ = try unlessDamaged {
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("ROLLBACK")
    }
  }

  /// Whether a database without tables is the rest of a destroyed store.
  static func isEmptied(_ connection: SQLiteConnection) throws -> Bool {
    try connection.integer("PRAGMA user_version") == mark
  }

  /// Removes the rest of a destroyed store, so that a new store gets a file of its own: connections that users of the old
  /// store still have cannot write into it then.
  static func removeEmptied(_ path: String, timeout: TimeInterval) throws {
    let connection = try SQLiteConnection(path: path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try connection.execute("BEGIN EXCLUSIVE")
    defer { try? connection.execute("ROLLBACK") }
    // Another program may have done this in the meantime, and made the new store.
    guard csqlite_has_moved(connection.handle) == 0, try isEmptied(connection),
      try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
    else { return }
    for suffix in ["-wal", "-shm", ""] { try StoreFiles.remove(path + suffix) }
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

  /// The result of `body`; nil where SQLite says that the database is damaged.
  static func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch  where SQLiteError.has(error, code: SQLITE_CORRUPT) || SQLiteError.has(error, code: SQLITE_NOTADB) {
      return nil
    }
  }

  /// The files that a store names and that are removed with it.
  static func ownNames(_ files: StoreFiles, _ connection: SQLiteConnection) throws -> Set<String> {
    let names = try unlessDamaged { try ExternalFileReport.names(in: connection) } ?? []
    return try names.isEmpty ? names : names.subtracting(self.names(in: files.neighbours()))
  }

  /// - Returns: false for a damaged database that cannot be emptied.
  private static func empty(_ files: StoreFiles, timeout: TimeInterval, removesFile: Bool) throws -> Bool {
    let connection = try SQLiteConnection(
      path: files.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try requireStore(files, connection)
    // Stores whose names differ only in their extensions share one folder.
    let values = try files.neighbours().isEmpty ? nil : ownNames(files, connection)
    let identifier = try unlessDamaged { try self.identifier(connection) } ?? nil
    var isEmpty = try vacuum(connection)
    if isEmpty == false, let identifier, try self.identifier(connection) == identifier {
      // If a read fails while SQLite empties a database, SQLite reports no error and leaves the database unchanged.
      try connection.execute("ROLLBACK")
      isEmpty = try vacuum(connection)
      if isEmpty == false, try self.identifier(connection) == identifier {
        throw SQLiteError.make(SQLITE_IOERR, handle: nil, path: files.path, doing: "emptying the store")
      }
    }
    guard isEmpty == true else { return isEmpty != nil }
    if removesFile {
      defer { try? connection.execute("ROLLBACK") }
      try removeFiles(files, values: values)
      return true
    }
    try connection.execute("PRAGMA user_version = \(mark)")
    try connection.execute("COMMIT")
    try removeValues(files, values)
    // The mode change removes the log and its index; if other processes have the database open, the last of them removes
    // both.
    _ = try? connection.rows("PRAGMA journal_mode = DELETE")
    return true
  }

  /// Empties a database, and begins a transaction whose lock keeps other programs from making a new store in a file that is
  /// about to be removed. A store that has been made in the meantime stays.
  /// - Returns: whether it is empty; nil for a damaged one.
  private static func vacuum(_ connection: SQLiteConnection) throws -> Bool? {
    _ = csqlite_reset_database(connection.handle, 1)
    defer { _ = csqlite_reset_database(connection.handle, 0) }
    _ = try unlessDamaged { try connection.execute("VACUUM") }
    _ = csqlite_reset_database(connection.handle, 0)
    return try unlessDamaged {
      try connection.execute("BEGIN IMMEDIATE")
      return try connection.integer("SELECT COUNT(*) FROM sqlite_master") == 0
    }
  }

  /// The UUID of the store in a database; nil if there is no store.
  private static func identifier(_ connection: SQLiteConnection) throws -> String? {
    guard try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_METADATA'") != 0 else {
      return nil
    }
    return try connection.rows("SELECT Z_UUID FROM Z_METADATA").first?[0]
  }

  /// Makes the file that is left of a store whose own could not be emptied.
  private static func leaveEmptied(_ files: StoreFiles) throws {
    // The path that the client knows: a link that led elsewhere is gone.
    let connection = try SQLiteConnection(
      path: files.url.path, readOnly: false, create: true, timeout: 0, pragmas: [])
    try connection.execute("PRAGMA user_version = \(mark)")
  }

  /// - Parameter values: the external values to remove; nil for the whole support folder.
  private static func removeValues(_ files: StoreFiles, _ values: Set<String>?) throws {
    if let values {
      try remove(values, of: files)
    } else if files.hasSupportFolder, try files.neighbours().isEmpty {
      // A link is removed, and the folder to which it leads stays.
      do { try files.home().removeAll(files.supportFolder.lastPathComponent) } catch let error as POSIXError {
        throw SystemError.writing("The folder", files.supportFolder.path, error)
      }
    }
  }

  private static func remove(_ values: Set<String>, of files: StoreFiles) throws {
    let external = ExternalStorage(storePath: files.url.path)
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
    // The file is what a second try looks for, so it goes last.
    try removeValues(files, values)
    try removeDatabase(files)
  }

  private static func removeDatabase(_ files: StoreFiles) throws {
    for path in files.besides + [files.path] { try StoreFiles.remove(path) }
    var status = stat()
    if lstat(files.url.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { try StoreFiles.remove(files.url.path) }
  }

  /// The files that other stores name: a copy made by hand names those of its original.
  static func names(in stores: [URL]) throws -> Set<String> {
    try stores.reduce(into: []) { names, store in
      let found = try unlessDamaged {
        try ExternalFileReport.names(in: StoreInspection.open(store.path, timeout: StoreOptions.timeout(nil)))
      }
      names.formUnion(found ?? [])
    }
  }
}
