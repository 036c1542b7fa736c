import Foundation

extension SQLiteStore {
  /// Writes rows as they are read, all or none of them.
  /// - Parameters:
  ///   - policy: what becomes of a row with values that must be unique and are taken.
  ///   - whenRead: called when all rows were read, before the commit.
  /// - Throws: what `BatchRows.next` throws; `BatchConflict`; the errors of `ExternalWriter.write`; 513 for a store that is
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
