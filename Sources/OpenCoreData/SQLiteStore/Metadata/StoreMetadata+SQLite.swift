import Foundation
import OpenCocoaFoundation

// Reads and writes Z_METADATA, a row with the identifier and a property list of the other metadata.
extension StoreMetadata {
  /// Reads Z_METADATA; returns nil if the database has no such table, or no row in it.
  init?(_ connection: SQLiteConnection) throws {
    // Only a table is read, because a view of that name could keep SQLite busy without end.
    guard
      try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_METADATA'") == 1
    else { return nil }
    let statement = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    statement.begin()
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    identifier = statement.string(0) ?? ""
    do {
      properties = try PropertyListReader.dictionary(statement.data(1) ?? Data())
    } catch {
      let reason = (error as? ArchiveProblem)?.reason ?? "\(error)"
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The metadata of the store at \(connection.path) are damaged: Z_PLIST in Z_METADATA is no property list. \(reason)",
        [NSFilePathErrorKey: connection.path])
    }
  }

  /// Replaces the row of Z_METADATA.
  func write(_ connection: SQLiteConnection) throws {
    // Foundation's writer is only used for values that the other one cannot write. It converts everything to its own objects
    // first, which takes a tenth of the time of creating a store.
    let list =
      try PropertyListValue(foundationValue: properties).map(BinaryPropertyListWriter.write)
      ?? PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)")
    statement.bind(identifier, at: 1)
    statement.bind(list, at: 2)
    try statement.run()
  }
}

extension StoreMetadata {
  /// Reads the metadata of the store at `url`, without changing the file.
  static func read(at url: URL, options: [AnyHashable: Any]?) throws -> StoreMetadata {
    try StoreInspection.open(storeAt: url, timeout: StoreOptions.timeout(options)).1
  }

  /// Replaces the metadata of the store at `url`, which may be open elsewhere.
  static func write(_ dictionary: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
    // A file that is no store is refused before it is opened for writing.
    _ = try read(at: url, options: options)
    let files = try StoreFiles(url)
    let connection = try SharedIndex.writable(files.path, timeout: StoreOptions.timeout(options))
    try connection.execute("BEGIN IMMEDIATE")
    do {
      guard var metadata = try StoreMetadata(connection) else { throw files.corrupt("it has no metadata") }
      try metadata.replace(with: dictionary)
      try metadata.write(connection)
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}
