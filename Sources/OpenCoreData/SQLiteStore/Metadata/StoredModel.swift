import Foundation

/// The information in a store file about the model that it was made with.
package struct StoredModel {
  /// The model in the store's cache; nil in stores of old versions, which have no such cache.
  package let model: NSManagedObjectModel?
  /// The store's metadata.
  package let metadata: [String: Any]

  /// The version hashes of the entities that the store holds.
  package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

  /// Whether a file begins as a SQLite database does.
  package static func isDatabase(_ url: URL) -> Bool {
    (try? StoreFileHeader.read(url.path).start.starts(with: StoreFileHeader.magic)) == true
  }

  /// Reads it, and leaves the file as it is.
  ///
  /// - Throws: 260 where there is no file, 259 if it is not a store or its model is damaged, 256 if it cannot be opened,
  ///   134090 if it stays locked.
  package init(contentsOf url: URL, timeout: TimeInterval = 5) throws {
    let (connection, metadata) = try StoreInspection.open(storeAt: url, timeout: timeout)
    self.metadata = metadata.dictionary
    model = try Self.cache(connection).map { try ModelCache.decode($0) }
  }

  /// The bytes of the model cache; nil if there is none.
  static func cache(_ connection: SQLiteConnection) throws -> Data? {
    // A view of that name could make the query run without end.
    guard
      try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") == 1
    else { return nil }
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    statement.begin()
    defer { statement.reset() }
    return try statement.step() ? statement.data(0) : nil
  }
}
