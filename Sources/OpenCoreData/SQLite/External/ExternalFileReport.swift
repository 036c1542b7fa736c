import CSQLite
import Foundation

/// How the files of a store's external values and the references in its rows go together.
package struct ExternalFileReport: Sendable {
  /// A column that names a file.
  package struct Reference: Sendable, Hashable {
    package let table: String
    package let column: String
    package let primaryKey: Int64
    /// The file's name.
    package let name: String
  }

  /// The folder with the files, whether it is there or not.
  package let folder: URL
  /// How many references the store has.
  package internal(set) var referenceCount = 0
  /// Files that no row names: what a killed process left, or is just writing. They do no harm.
  package internal(set) var orphans: [URL] = []
  /// References to files that are not there: these values are lost.
  package internal(set) var missing: [Reference] = []
  /// References to a file that another row names as well: it goes when one of them does.
  package internal(set) var shared: [Reference] = []

  /// Compares the files beside a store with its rows, and changes neither.
  ///
  /// The rows say what refers to a file, not the model: what an older model's columns refer to counts.
  /// - Throws: what opening and reading the store throws: 256, 259, 134090.
  package init(storeAt url: URL, timeout: TimeInterval = 5) throws {
    try StoreFileHeader.check(url.path)
    let connection = try StoreInspection.open(url.path, timeout: timeout)
    self = try Self.make(url, connection, begin: "BEGIN")
  }

  /// Removes files that no row names and that nobody has written to lately, while no save can run.
  ///
  /// - Parameter age: in seconds; files that are younger stay, since Apple's framework may be about to name them.
  /// - Returns: the files that were removed.
  /// - Throws: what opening and reading the store throws, 513 if it cannot be written, 134090 if it stays locked.
  package static func removeOrphans(
    storeAt url: URL, olderThan age: TimeInterval = 3600, timeout: TimeInterval = 5
  ) throws -> [URL] {
    try StoreFileHeader.check(url.path)
    let connection = try SQLiteConnection(
      path: url.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    let latest = Date(timeIntervalSinceNow: -age)
    return try make(url, connection, begin: "BEGIN IMMEDIATE") { report in
      report.orphans.filter { file in
        var status = stat()
        guard stat(file.path, &status) == 0,
          Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec)) <= latest
        else { return false }
        return unlink(file.path) == 0
      }
    }
  }

  private init(_ folder: URL) { self.folder = folder }

  /// - Parameter begin: the statement that begins a transaction; nil in one.
  static func make(_ url: URL, _ connection: SQLiteConnection, begin: String?) throws -> ExternalFileReport {
    try make(url, connection, begin: begin) { $0 }
  }

  /// Calls `body` while the transaction lasts.
  private static func make<Result>(
    _ url: URL, _ connection: SQLiteConnection, begin: String?, _ body: (ExternalFileReport) throws -> Result
  ) throws -> Result {
    let storage = ExternalStorage(storePath: url.path)
    var report = ExternalFileReport(URL(fileURLWithPath: storage.folder, isDirectory: true))
    // Before the rows: a file that comes with a commit in between is named by then.
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: storage.folder)) ?? [])
      .filter { UUID(uuidString: $0) != nil }
    if let begin { try connection.execute(begin) }
    // The connection is used no more.
    defer { if begin != nil { try? connection.execute("ROLLBACK") } }
    var names: Set<String> = []
    for table in try tables(connection) {
      for reference in try references(in: table, connection) {
        report.referenceCount += 1
        if !names.insert(reference.name).inserted { report.shared.append(reference) }
        if access(storage.path(of: reference.name), F_OK) != 0 { report.missing.append(reference) }
      }
    }
    report.orphans = files.filter { !names.contains($0) }.sorted()
      .map { report.folder.appendingPathComponent($0) }
    return try body(report)
  }

  // MARK: References

  /// The files that the rows of a store name.
  static func names(in connection: SQLiteConnection) throws -> Set<String> {
    Set(try references(in: connection).map(\.name))
  }

  /// What in the rows of a store names files.
  static func references(in connection: SQLiteConnection) throws -> [Reference] {
    try tables(connection).flatMap { try references(in: $0, connection) }
  }

  private struct Table {
    let name: String
    let columns: [String]
  }

  /// The tables with rows of objects, and their columns for data.
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
    // A length alone is read without the bytes of large values.
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
