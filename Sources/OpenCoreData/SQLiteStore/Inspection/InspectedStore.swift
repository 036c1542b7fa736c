import CSQLite
import Foundation
import OpenCocoaFoundation

/// A SQLite store that is read as it is at one moment, in one read transaction. No byte of the store or of its folder is
/// changed.
///
/// An inspected store needs no model if the store's file holds a copy of it. It belongs to one thread at a time.
package final class InspectedStore {
  package let url: URL
  /// The path of the file, after symbolic links.
  let path: String
  let connection: SQLiteConnection
  /// The contents of Z_METADATA; nil if the table is missing or cannot be read.
  var storedMetadata: StoreMetadata? { structure.storedMetadata }
  /// Why the metadata cannot be read.
  var metadataProblem: String? { structure.metadataProblem }
  /// The copy of the model in the store.
  package var cachedModel: NSManagedObjectModel? { structure.cachedModel }
  /// Why the copy of the model cannot be read.
  package var cacheProblem: String? { structure.cacheProblem }
  /// The model with which the store is read: the given model, or the store's own; nil if there is neither.
  package var model: NSManagedObjectModel? { structure.model }
  /// How the file stores the entities of the model.
  var schema: SQLModel? { structure.schema }
  /// The columns of each table, in lower case, by the table's name in lower case: SQLite ignores case.
  var columns: [String: Set<String>] { structure.columns }

  /// The state of the file when it was opened, if it is read without locks because nobody else had it open.
  private let state: FileState?

  /// The structure of the file, which can be passed as `known` the next time the file is opened.
  package let structure: Structure

  /// The names of the files that were to be read and do not exist; their values are given as null.
  package internal(set) var missingFiles: [String] = []

  /// Opens the file.
  /// - Parameters:
  ///   - model: the model with which to read the file; nil for the store's own.
  ///   - known: the structure from an earlier time when the same file was open with the same model. It is read anew if it has
  ///     changed.
  /// - Throws: 259 if the file is no SQLite database, 256 if it cannot be opened, 134090 if it stays locked.
  package init(
    _ url: URL, model given: NSManagedObjectModel? = nil, known: Structure? = nil, timeout: TimeInterval = 5
  ) throws {
    self.url = url
    let files = try StoreFiles(url), path = files.path
    (self.path, external) = (path, files.external)
    try StoreFileHeader.check(path)
    let connection = try StoreInspection.open(path, timeout: timeout)
    // SQLite reads nothing before the first statement.
    state = connection.isImmutable ? FileState(path) : nil
    try connection.findStrayedValues(of: external)
    self.connection = connection
    try connection.execute("BEGIN")
    let mark = Structure.mark(connection)
    if let known, let mark, known.mark == mark {
      structure = known
    } else {
      structure = try Structure(connection, model: given, mark)
    }
  }

  /// The store's metadata.
  package var metadata: [String: Any] { storedMetadata?.dictionary ?? [:] }

  /// Whether the metadata can be read.
  package var hasReadableMetadata: Bool { storedMetadata != nil }

  /// Whether the database is empty: nothing has been put into it, or everything has been removed.
  package var hasNoTables: Bool { columns.isEmpty }

  /// - Throws: 259 for a database that is no store.
  package func requireStore() throws {
    if storedMetadata != nil { return }
    if hasNoTables {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The store at \(url.path) was destroyed or never filled: it is a SQLite database without tables.",
        [NSFilePathErrorKey: url.path])
    }
    throw NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
      metadataProblem ?? "The file at \(url.path) is a SQLite database, but not a Core Data store: it has no metadata.",
      [NSFilePathErrorKey: url.path])
  }

  /// Makes sure that everything that was read belongs to one moment.
  ///
  /// A file that nobody else has open is read without locks, because locks would leave traces beside it.
  /// - Throws: 134090 if somebody has written to the file meanwhile.
  package func requireUnchanged() throws {
    guard let state, FileState(path) != state else { return }
    throw NSError(
      coreData: NSPersistentStoreTimeoutError,
      "The store at \(url.path) was written while it was read; what was read is not to be relied on. Try again.",
      [NSFilePathErrorKey: url.path])
  }

  /// Returns the names of the tables as the file spells them, sorted.
  func tableNames() throws -> [String] {
    try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    .compactMap { $0[0] }.sorted()
  }

  func hasTable(_ name: String) -> Bool { columns[name.lowercased()] != nil }

  func hasColumn(_ column: String, in table: String) -> Bool {
    columns[table.lowercased()]?.contains(column.lowercased()) ?? false
  }

  /// Returns the schema of a store whose objects are to be read.
  /// - Throws: 259 for a database that is no store, 134060 if the store keeps no copy of its model.
  func requiredSchema() throws -> SQLModel {
    try requireStore()
    if let schema { return schema }
    let reason = cacheProblem ?? "it is older than such copies"
    throw NSError(
      coreData: NSCoreDataError,
      "The store at \(url.path) keeps no copy of its model (\(reason)); give the model's own file.",
      [NSFilePathErrorKey: url.path])
  }

  /// The place of the values that are in files of their own.
  let external: ExternalStorage

  deinit { try? connection.execute("COMMIT") }
}
