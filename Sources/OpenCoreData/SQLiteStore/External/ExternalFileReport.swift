import CSQLite
import Foundation

/// Whether the files of a store's external values match the references in its rows.
package struct ExternalFileReport: Sendable {
  /// A value of a column that names a file.
  package struct Reference: Sendable, Hashable {
    package let table: String
    package let column: String
    package let primaryKey: Int64
    /// The name of the file.
    package let name: String
  }

  /// An entry of the folder that is not as the framework makes it.
  package struct Unusable: Sendable, Hashable {
    /// The name of the entry.
    package let name: String
    /// What kind of entry it is, or why it cannot be read.
    package let reason: String
  }

  /// The folder for the files; it need not exist.
  package let folder: URL
  /// The number of references in the store.
  package internal(set) var referenceCount = 0
  /// Files that no row names: a process that was killed has left them, or another process is just writing them. They do no
  /// harm.
  package internal(set) var orphans: [URL] = []
  /// Why the folder cannot be used: it is not a folder, it is a link, or it cannot be read.
  package internal(set) var folderProblem: String?
  /// References to entries that exist and cannot be read: links, pipes, folders, files without permission.
  package internal(set) var unreadable: [(reference: Reference, reason: String)] = []
  /// Entries of the folder that no framework has made: links, pipes, folders, other names.
  package internal(set) var foreign: [Unusable] = []
  /// References to files that do not exist: these values are lost.
  package internal(set) var missing: [Reference] = []
  /// References to a file that another row names as well. The file is removed when one of the rows is deleted.
  package internal(set) var shared: [Reference] = []

  /// Compares the files beside a store with its rows, and changes neither.
  ///
  /// References are found in the rows, without the model, so that columns of an older model count, too.
  /// - Throws: the errors of opening and reading the store: 256, 259, 134090.
  package init(storeAt url: URL, timeout: TimeInterval = 5) throws {
    let files = try StoreFiles(url)
    try StoreFileHeader.check(files.path)
    let connection = try StoreInspection.open(files.path, timeout: timeout)
    self = try Self.make(files, connection, begin: "BEGIN")
  }

  private init(_ folder: URL) { self.folder = folder }

  /// - Parameter begin: the statement that begins a transaction; nil if one is open.
  static func make(_ store: StoreFiles, _ connection: SQLiteConnection, begin: String?) throws -> ExternalFileReport {
    let storage = store.external
    var report = ExternalFileReport(URL(fileURLWithPath: storage.folder, isDirectory: true))
    // The files are listed before the rows are read. So if the row of a new file is committed in between, the file counts as
    // named.
    let (folder, files) = report.look(storage)
    if let begin { try connection.execute(begin) }
    // The connection is not used after this, so an error of ROLLBACK does no harm.
    defer { if begin != nil { try? connection.execute("ROLLBACK") } }
    var names: Set<String> = []
    for table in try tables(connection) {
      for reference in try references(in: table, connection) {
        report.referenceCount += 1
        if !names.insert(reference.name).inserted { report.shared.append(reference) }
        let place = storage.place(of: reference.name)
        let found = place.folder == storage.folder ? folder : try? place.open()
        let isThere = found.map { Self.problem(of: reference.name, in: $0) }
        switch isThere ?? report.folderProblem.map(Problem.unreadable) ?? .missing {
        case .fine: break
        case .missing: report.missing.append(reference)
        case .unreadable(let reason): report.unreadable.append((reference, reason))
        }
      }
    }
    var orphans = files.filter { !names.contains($0) }
    // Stores whose names differ only in the extension share one folder.
    if !orphans.isEmpty, let others = try? StoreDestruction.names(in: store.neighbours()) {
      orphans.removeAll(where: others.contains)
    }
    report.orphans = orphans.sorted().map { report.folder.appendingPathComponent($0) }
    return report
  }

  // MARK: The folder

  private enum Problem { case fine, missing, unreadable(String) }

  /// Opens the folder and sorts its entries. Returns the folder and the names that the framework has made.
  private mutating func look(_ storage: ExternalStorage) -> (FolderHandle?, [String]) {
    let folder: FolderHandle, entries: [[CChar]]
    do {
      folder = try storage.open()
      entries = try folder.entries()
    } catch {
      if error.code == .ENOENT { return (nil, []) }
      folderProblem = error.code == .ENOTDIR ? "it is no folder, or a link" : error.reason
      return (nil, [])
    }
    var files: [String] = []
    for entry in entries {
      let name = FolderHandle.text(entry)
      let kind = (try? folder.status(entry)).map { Self.kind($0.st_mode) } ?? nil
      if let kind {
        foreign.append(Unusable(name: name, reason: kind))
      } else if UUID(uuidString: name)?.uuidString == name {
        files.append(name)
      } else if UUID(uuidString: name) == nil {
        foreign.append(Unusable(name: name, reason: "no name of a value"))
      }
    }
    foreign.sort { $0.name < $1.name }
    return (folder, files)
  }

  private static func problem(of name: String, in folder: FolderHandle) -> Problem {
    do throws(POSIXError) {
      if let kind = kind(try folder.status(name).st_mode) { return .unreadable("it is \(kind)") }
      guard faccessat(folder.descriptor, name, R_OK, 0) == 0 else { throw POSIXError.last }
      return .fine
    } catch {
      return error.code == .ENOENT ? .missing : .unreadable(error.reason)
    }
  }

  /// Returns a word for the kind of an entry that is not a regular file; nil for a regular file.
  private static func kind(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFLNK: "a link"
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  // MARK: References

  /// Returns the names of the files that the rows of a store name.
  static func names(in connection: SQLiteConnection) throws -> Set<String> {
    Set(try references(in: connection).map(\.name))
  }

  /// Returns the values in the rows of a store that name files.
  static func references(in connection: SQLiteConnection) throws -> [Reference] {
    try tables(connection).flatMap { try references(in: $0, connection) }
  }

  private struct Table {
    let name: String
    let columns: [String]
  }

  /// Returns the tables that have rows of objects, with their columns for data.
  private static func tables(_ connection: SQLiteConnection) throws -> [Table] {
    try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap { row in
      guard let name = row[0], name.hasPrefix("Z") || name.hasPrefix("A") else { return nil }
      let columns = try connection.rows("PRAGMA table_info(\(name.quotedName))")
      guard columns.contains(where: { $0[1]?.uppercased() == "Z_PK" }) else { return nil }
      let data = columns.filter { $0[2].map { $0.isEmpty || $0.uppercased() == "BLOB" } ?? true }.compactMap { $0[1] }
      return data.isEmpty ? nil : Table(name: name, columns: data)
    }
  }

  private static func references(in table: Table, _ connection: SQLiteConnection) throws -> [Reference] {
    // To get the length, SQLite does not read the bytes of large values.
    let isReference = { (column: String) in
      "typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN \(ExternalReference.length - 1) AND "
        + "\(ExternalReference.length)"
    }
    let columns = table.columns.map(\.quotedName)
    let results = columns.map { "CASE WHEN \(isReference($0)) THEN \($0) END" }.joined(separator: ", ")
    let condition = columns.map { "(\(isReference($0)))" }.joined(separator: " OR ")
    let statement = try connection.statement(
      "SELECT Z_PK, \(results) FROM \(table.name.quotedName) WHERE \(condition) ORDER BY Z_PK")
    statement.begin()
    defer { statement.reset() }
    var references: [Reference] = []
    while try statement.step() {
      for (index, column) in table.columns.enumerated() {
        guard let value = statement.data(Int32(index + 1)), let found = value.withUnsafeBytes({ ExternalReference($0) })
        else { continue }
        references.append(
          Reference(table: table.name, column: column, primaryKey: statement.int(0), name: found.name))
      }
    }
    return references
  }
}
