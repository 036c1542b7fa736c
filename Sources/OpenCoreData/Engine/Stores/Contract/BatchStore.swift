import Foundation

/// A store that carries batch requests out by itself. One that does not answers them with 134091.
package protocol BatchStore: NSPersistentStore {
  /// Inserts rows without making objects of them.
  /// - Parameters:
  ///   - policy: what becomes of a row with values that must be unique and are taken.
  ///   - whenRead: called when all rows were read, before the commit.
  /// - Throws: what `BatchRows.next` throws; `BatchConflict`.
  func insertBatch(
    _ rows: BatchRows, policy: NSMergePolicyType, _ options: BatchOptions, _ source: HistorySource,
    whenRead: () -> Void
  ) throws -> BatchChanges

  /// Gives rows other values.
  func updateBatch(
    _ request: NSBatchUpdateRequest, _ description: NSEntityDescription, _ values: [String: Any?],
    _ options: BatchOptions, _ source: HistorySource
  ) throws -> BatchChanges

  /// Deletes the rows that a fetch would find, and does what the delete rules say.
  func deleteBatch(_ target: FetchTarget, _ options: BatchOptions, _ source: HistorySource) throws -> BatchChanges
}
