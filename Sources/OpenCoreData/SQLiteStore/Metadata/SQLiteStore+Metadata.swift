import Foundation

// Metadata that an application sets are kept here until a save writes them.
extension SQLiteStore {
  /// Sets the metadata to those in the file.
  func setStoredMetadata(_ dictionary: [String: Any]) {
    takeMetadata(dictionary)
    pendingMetadata.settle(dictionary)
  }

  /// Returns the metadata that an application sets while the store is open, with the framework's own keys unchanged.
  func completed(_ metadata: [String: Any]) -> [String: Any] {
    let old = self.metadata ?? [:]
    return metadata.merging(old.filter { StoreMetadata.frameworkKeys.contains($0.key) }) { $1 }
  }

  /// A part of every save's transaction.
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

  /// Called after the commit of a save.
  func publishMetadata() {
    if let dictionary = pendingMetadata.committed() { takeMetadata(dictionary) }
  }

  /// Writes metadata that were set, in a transaction of their own.
  /// - Throws: 513 for a store that is read-only; 3852 for a value that no property list can hold; 134090 when the store
  ///   stays locked.
  func writeMetadata() throws {
    guard pendingMetadata.isPending else { return }
    if isReadOnly { throw readOnlyError }
    try writer.transaction {
      try writePendingMetadata($0)
    } publish: {
      publishMetadata()
    }
  }

  /// Reads the metadata again after another store was put in the place of this one. The other store may have no history yet.
  func takeReplacement() throws {
    let stored = try writer.withConnection { connection in
      if history != nil { try HistoryTables.prepare(schema, connection) }
      return try StoreMetadata(connection)
    }
    if let stored { setStoredMetadata(stored.dictionary) }
  }
}
