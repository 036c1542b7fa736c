import CSQLite
import Foundation

/// What lies beside a store and is of no use any more: the files of values that no row names, and the working folders of
/// processes that have ended.
package struct ExternalFileCleaning: Sendable {
  /// The age in seconds from which files are removed. A younger file may be named by a row that is not committed yet.
  package static let usualAge: TimeInterval = 3600

  /// A file that no row names.
  package struct File: Sendable, Hashable {
    package let url: URL
    /// The size in bytes.
    package let size: Int64
  }

  /// The files that are old enough: those that were removed, or that would be.
  package private(set) var files: [File] = []
  /// The files that no row names and that stay because they are young.
  package private(set) var spared: [File] = []
  /// The working folders that no process holds.
  package private(set) var workingFolders: [URL] = []

  /// Looks for files and folders, and changes nothing.
  ///
  /// - Parameter age: the age in seconds from which files count as old.
  /// - Throws: the errors of opening and reading the store and its neighbours: 256, 257, 259, 134090.
  package init(storeAt url: URL, olderThan age: TimeInterval = usualAge, timeout: TimeInterval = 5) throws {
    let files = try StoreFiles(url)
    try files.requireFile()
    try StoreFileHeader.check(files.path)
    let connection = try StoreInspection.open(files.path, timeout: timeout)
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    try look(files, connection, olderThan: age, timeout: timeout, names: ExternalFileReport.allNames)
  }

  /// Removes the files and folders while no save of the store can run.
  ///
  /// Files stay if they are named by another store that uses the same folder of external values. If such a store cannot be
  /// read, nothing is removed.
  /// - Parameter age: the age in seconds from which files are removed.
  /// - Returns: the files and folders that were removed.
  /// - Throws: as `init(storeAt:)`; 513 for a store or a file that cannot be written; 134090 if the store stays locked, or if
  ///   others read the store as it was before the latest save: they may still need values that no row names now.
  package static func remove(
    storeAt url: URL, olderThan age: TimeInterval = usualAge, timeout: TimeInterval = 5
  ) throws -> ExternalFileCleaning {
    try remove(storeAt: url, olderThan: age, timeout: timeout, names: ExternalFileReport.allNames)
  }

  /// - Parameter names: returns the names that a database's rows have.
  private static func remove(
    storeAt url: URL, olderThan age: TimeInterval, timeout: TimeInterval,
    names: (SQLiteConnection) throws -> Set<String>
  ) throws -> ExternalFileCleaning {
    let files = try StoreFiles(url)
    try files.requireFile()
    try StoreFileHeader.check(files.path)
    let connection = try SharedIndex.writable(files.path, timeout: timeout)
    guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
      throw NSError(
        coreData: CocoaError.Code.fileWriteNoPermission.rawValue, "The store at \(url.path) cannot be written.",
        [NSFilePathErrorKey: url.path])
    }
    try StoreDestruction.requireStore(files, connection)
    // Waits for readers. Others may commit until the lock is taken, so they are looked for again then.
    _ = try connection.rows("PRAGMA wal_checkpoint(RESTART)")
    try connection.execute("BEGIN IMMEDIATE")
    defer { try? connection.execute("ROLLBACK") }
    try connection.checkIsInPlace()
    try requireNoOldReaders(files, timeout: timeout)
    var result = ExternalFileCleaning()
    try result.look(files, connection, olderThan: age, timeout: timeout, names: names)
    guard !result.files.isEmpty || !result.workingFolders.isEmpty else { return result }
    WorkingFolder.removeLeftOver(beside: files.path)
    if result.files.isEmpty { return result }
    let external = files.external
    do {
      let folder = try external.open()
      for file in result.files { try folder.remove(file.url.lastPathComponent) }
    } catch {
      throw SystemError.writing("The folder of external values", external.folder, error)
    }
    return result
  }

  private init() {}

  private mutating func look(
    _ files: StoreFiles, _ connection: SQLiteConnection, olderThan age: TimeInterval, timeout: TimeInterval,
    names namesIn: (SQLiteConnection) throws -> Set<String>
  ) throws {
    let folder = URL(fileURLWithPath: files.path).deletingLastPathComponent()
    workingFolders = WorkingFolder.leftOver(beside: files.path).map(folder.appendingPathComponent)
    let external = files.external
    let handle: FolderHandle, names: [String]
    do {
      handle = try external.open()
      names = try handle.names()
    } catch {
      if error.code == .ENOENT { return }
      throw SystemError.reading("The folder of external values", external.folder, error)
    }
    var named = try namesIn(connection)
    for other in try files.neighbours() {
      named.formUnion(try namesIn(StoreInspection.open(other.path, timeout: timeout)))
    }
    let latest = Date(timeIntervalSinceNow: -age)
    // Only names in the form in which the framework writes them. The comparison ignores case, because on a file system that
    // ignores case a row may have the name in another case.
    for name in names.sorted() where UUID(uuidString: name)?.uuidString == name && !named.contains(name) {
      guard let status = try? handle.status(name), status.st_mode & S_IFMT == S_IFREG else { continue }
      let file = File(
        url: URL(fileURLWithPath: external.path(of: name)), size: Int64(status.st_size))
      let changed = Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
      if changed <= latest { self.files.append(file) } else { spared.append(file) }
    }
  }

  /// Throws if a reader still sees an older state of the store: its rows may name values that no row names now. Called while
  /// the store is locked; the connection that has the lock cannot ask itself.
  private static func requireNoOldReaders(_ files: StoreFiles, timeout: TimeInterval) throws {
    let connection = try SQLiteConnection(
      path: files.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    if SettledCommits(connection)?.includeAll == true { return }
    throw NSError(
      coreData: NSPersistentStoreTimeoutError,
      "The store at \(files.url.path) is being read; what its readers see may need values that no row names now. Try again.",
      [NSFilePathErrorKey: files.url.path])
  }

  // MARK: What killed processes have left

  /// Removes the files that processes have left that were killed while they changed external values. Without the mark of such
  /// a process this only lists the support folder; with one, it reads the tables of objects, once.
  ///
  /// A mark that is younger than `usualAge` waits, as its files do. Nothing is waited for: a store that is in use is left to a
  /// later opening or save.
  /// - Returns: whether there was a mark.
  @discardableResult
  package static func removeLeftByKilled(storePath: String, olderThan age: TimeInterval = usualAge) -> Bool {
    guard let support = try? ExternalStorage(storePath: storePath).openSupport() else { return false }
    let marks = ExternalMark.left(in: support, olderThan: age)
    if marks.isEmpty { return false }
    do {
      let result = try remove(storeAt: URL(fileURLWithPath: storePath), olderThan: age, timeout: 0) {
        Set(try ExternalFileReport.names(in: $0).map { $0.uppercased() })
      }
      for mark in marks { if result.spared.isEmpty { mark.remove() } else { mark.renew() } }
    } catch let error as NSError where error.code == NSPersistentStoreTimeoutError {
      return true
    } catch {
      // A neighbour cannot be read, say. That is not tried again with each save.
      for mark in marks { mark.renew() }
    }
    return true
  }
}

extension ExternalFileReport {
  /// Returns the names of files, in upper case, that any table of a database may name, including tables that a migration has
  /// left and tables of other programs.
  static func allNames(in connection: SQLiteConnection) throws -> Set<String> {
    var names: Set<String> = []
    for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap({ $0[0] }) {
      for column in try connection.columns(of: table).map(\.quotedName) {
        let statement = try SQLiteStatement(
          "SELECT \(column) FROM \(table.quotedName) WHERE typeof(\(column)) = 'blob' AND length(\(column)) "
            + "BETWEEN \(ExternalReference.length - 1) AND \(ExternalReference.length)", on: connection)
        statement.begin()
        while try statement.step() {
          let found = statement.data(0)?.withUnsafeBytes { ExternalReference($0)?.name }
          if let found { names.insert(found.uppercased()) }
        }
      }
    }
    return names
  }
}
