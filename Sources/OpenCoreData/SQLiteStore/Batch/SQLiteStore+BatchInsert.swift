import Foundation

extension SQLiteStore {
  /// Writes rows as they are read, all or none of them.
  /// - Parameters:
  ///   - policy: what becomes of a row whose unique values another row has.
  ///   - whenRead: called when all rows have been read, before the commit.
  /// - Throws: the errors of `BatchRows.next`; `BatchConflict`; the errors of `ExternalWriter.write`; 513 if the store is
  ///   read-only.
  func insertBatch(
    _ rows: BatchRows, policy: NSMergePolicyType, _ options: BatchOptions, _ source: HistorySource,
    whenRead: () -> Void
  ) throws -> BatchChanges {
    if isReadOnly { throw readOnlyError }
    let entity = try entity(rows.layout.entity)
    defer { checkpointAfterBatch() }
    return try writer.transaction { connection in
      let writer = try BatchRowWriter(self, entity, policy, options, source, connection)
      while try rows.next() { try writer.write(rows) }
      whenRead()
      return try writer.finish()
    } publish: {
      publish($0)
    }
  }
}
