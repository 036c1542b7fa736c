import Foundation

// What lightweight migrations have left for later.
extension NSPersistentStoreCoordinator {
  /// Removes all that lightweight migrations of this coordinator's stores have left for later: see
  /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Each table and each column goes in a transaction of its
  /// own; other threads and processes can use the store meanwhile.
  /// - Throws: what writing throws; what is done then is done.
  public final func finishDeferredLightweightMigration() throws {
    for case let store as SQLiteStore in persistentStores {
      while try store.removeLeftover() {}
    }
  }

  /// Removes the next table or column that a lightweight migration has left for later; nothing if there is none.
  ///
  /// The metadata of a store tell whether there is more to do.
  /// - Throws: what writing throws.
  public final func finishDeferredLightweightMigrationTask() throws {
    for case let store as SQLiteStore in persistentStores {
      if try store.removeLeftover() { return }
    }
  }
}

extension SQLiteStore {
  private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey

  /// - Returns: whether there was anything to remove.
  fileprivate func removeLeftover() throws -> Bool {
    guard metadata[Self.key] != nil, !isReadOnly else { return false }
    var files: [String] = []
    let found = try writer.transaction(others: forgetEverything) { connection in
      guard var stored = try StoreMetadata(connection) else { return (false, [String: Any]()) }
      var left = MigrationLeftovers(stored)
      if left.isEmpty, stored.properties[Self.key] == nil { return (false, stored.dictionary) }
      files = try left.removeOne(connection, fileSchema: schema)
      left.write(to: &stored)
      try stored.write(connection)
      return (true, stored.dictionary)
    } publish: { found, dictionary in
      // Metadata that the application has set meanwhile stay.
      var own = metadata ?? [:]
      for key in [Self.key, MigrationLeftovers.key] { own[key] = dictionary[key] }
      takeMetadata(own)
      return found
    }
    ExternalStorage(storePath: path).remove(files)
    return found
  }
}
