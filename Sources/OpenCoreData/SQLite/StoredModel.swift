import Foundation

/// What a store file says of the model that it was made with.
package struct StoredModel {
  /// The model in the store's cache; nil in a store of a time before there were such caches.
  package let model: NSManagedObjectModel?
  /// The store's metadata.
  package let metadata: [String: Any]

  /// The version hashes of the entities that the store holds.
  package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

  /// Whether a file begins as a SQLite database does.
  package static func isDatabase(_ url: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }

  /// Reads it, and leaves the file as it is.
  ///
  /// - Throws: 259 if the file is not a store or its model is damaged, 256 if it cannot be opened, 134090 if it stays
  ///   locked.
  package init(contentsOf url: URL, timeout: TimeInterval = 5) throws {
    let path = url.path
    try StoreFileHeader.check(path)
    let connection = try StoreInspection.open(path, timeout: timeout)
    guard let metadata = try StoreMetadata(connection) else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The file at \(path) is a SQLite database, but not a Core Data store: it has no metadata.",
        [NSFilePathErrorKey: path])
    }
    self.metadata = metadata.dictionary
    model = try Self.cache(connection).map(ModelCache.decode)
  }

  /// What Z_MODELCACHE holds.
  static func cache(_ connection: SQLiteConnection) throws -> Data? {
    // A view of that name could keep the engine busy without end.
    guard
      try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") == 1
    else { return nil }
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    statement.begin()
    defer { statement.reset() }
    return try statement.step() ? statement.data(0) : nil
  }
}
