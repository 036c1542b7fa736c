import Foundation

/// A store that executes batch requests itself. Any other store answers them with 134091.
package protocol BatchStore: NSPersistentStore {
  /// Inserts rows without making objects of them.
  /// - Parameters:
  ///   - policy: what happens to a row with unique values that another row has already.
  ///   - whenRead: called when all rows were read, before the commit.
  /// - Throws: the errors of `BatchRows.next`; `BatchConflict`.
  func insertBatch(
    _ rows: BatchRows, policy: NSMergePolicyType, _ options: BatchOptions, _ source: HistorySource,
    whenRead: () -> Void
  ) throws -> BatchChanges

  /// Updates values of the rows that the request describes.
  func updateBatch(
    _ request: NSBatchUpdateRequest, _ description: NSEntityDescription, _ values: [String: Any?],
    _ options: BatchOptions, _ source: HistorySource
  ) throws -> BatchChanges

  /// Deletes the rows that a fetch would find, and applies the delete rules.
  func deleteBatch(_ target: FetchTarget, _ options: BatchOptions, _ source: HistorySource) throws -> BatchChanges
}
