import Foundation

extension SQLiteStore {
  private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey

  /// Removes the next table or column that a migration has left.
  /// - Returns: whether there was anything to remove.
  func removeNextLeftover() throws -> Bool {
    guard metadata[Self.key] != nil, !isReadOnly else { return false }
    var files: [String] = []
    var mark: ExternalMark?
    let found: Bool
    do {
      found = try writer.transaction { connection in
        guard var stored = try StoreMetadata(connection) else { return (false, [String: Any]()) }
        var left = MigrationLeftovers(stored)
        if left.isEmpty, stored.properties[Self.key] == nil { return (false, stored.dictionary) }
        files = try left.removeOne(connection, fileSchema: schema)
        mark = files.isEmpty ? nil : external.mark()
        left.write(to: &stored)
        try stored.write(connection)
        return (true, stored.dictionary)
      } publish: { found, dictionary in
        // Metadata that the application has set meanwhile are kept.
        var own = metadata ?? [:]
        for key in [Self.key, MigrationLeftovers.key] { own[key] = dictionary[key] }
        takeMetadata(own)
        return found
      }
    } catch {
      // Where the commit may be on the disk in spite of the error, the mark tells of the files.
      if !SQLiteError.leavesOpen(error) { mark?.remove() }
      throw error
    }
    try? writer.withConnection { SettledCommits.remove(files, of: external, marked: mark, $0) }
    return found
  }
}
