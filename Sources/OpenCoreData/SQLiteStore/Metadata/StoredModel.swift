import Foundation

/// The data in a store file about the model with which the store was made.
package struct StoredModel {
  /// The model in the store's cache; nil if the store is so old that it has no such cache.
  package let model: NSManagedObjectModel?
  /// The store's metadata.
  package let metadata: [String: Any]

  /// The version hashes of the entities that the store holds.
  package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

  /// Whether a file begins as a SQLite database does.
  package static func isDatabase(_ url: URL) -> Bool {
    (try? StoreFileHeader.read(url.path).start.starts(with: StoreFileHeader.magic)) == true
  }

  /// Reads the model and the metadata, without changing the file.
  ///
  /// - Throws: 260 if there is no file, 259 if it is not a store or its model is damaged, 256 if it cannot be opened, 134090
  ///   if it stays locked.
  package init(contentsOf url: URL, timeout: TimeInterval = 5) throws {
    let (connection, metadata) = try StoreInspection.open(storeAt: url, timeout: timeout)
    self.metadata = metadata.dictionary
    model = try Self.cache(connection).map { try ModelCache.decode($0) }
  }

  /// Returns the bytes of the model cache; nil if there is none.
  static func cache(_ connection: SQLiteConnection) throws -> Data? {
    // Only a table is read, because a view of that name could keep SQLite busy without end.
    guard
      try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") == 1
    else { return nil }
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    statement.begin()
    defer { statement.reset() }
    return try statement.step() ? statement.data(0) : nil
  }
}
