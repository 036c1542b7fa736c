import Foundation

// Metadata that an application sets are kept in memory until a save writes them.
extension SQLiteStore {
  /// Takes over the metadata that the file has.
  func setStoredMetadata(_ dictionary: [String: Any]) {
    takeMetadata(dictionary)
    pendingMetadata.settle(dictionary)
  }

  /// Returns the metadata that result when an application sets metadata of an open store: the framework's own keys keep their
  /// values.
  func completed(_ metadata: [String: Any]) -> [String: Any] {
    let old = self.metadata ?? [:]
    return metadata.merging(old.filter { StoreMetadata.frameworkKeys.contains($0.key) }) { $1 }
  }

  /// Writes pending metadata, in the transaction of a save.
  func writePendingMetadata(_ connection: SQLiteConnection) throws {
    guard pendingMetadata.isPending else { return }
    try pendingMetadata.write(metadata) {
      guard let stored = try StoreMetadata(connection) else {
        throw NSError(
          coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The store at \(connection.path) has no metadata.",
          [NSFilePathErrorKey: connection.path])
      }
      return stored
    } writing: {
      try $0.write(connection)
    }
  }

  /// Takes over the metadata that a save has committed.
  func publishMetadata() {
    if let dictionary = pendingMetadata.committed() { takeMetadata(dictionary) }
  }

  /// Writes pending metadata in a transaction of their own.
  /// - Throws: 513 if the store is read-only; 3852 for a value that no property list can hold; 134090 if the store stays
  ///   locked.
  func writeMetadata() throws {
    guard pendingMetadata.isPending else { return }
    if isReadOnly { throw readOnlyError }
    try writer.transaction {
      try writePendingMetadata($0)
    } publish: {
      publishMetadata()
    }
  }

  /// Reads the metadata of the file again, after another store has replaced it. That store may have no history tables yet, so
  /// they are created.
  func takeReplacement() throws {
    let stored = try writer.withConnection { connection in
      if history != nil { try HistoryTables.prepare(schema, connection) }
      return try StoreMetadata(connection)
    }
    if let stored { setStoredMetadata(stored.dictionary) }
  }
}
