import Foundation

/// One transaction as it was read, with its changes where they were asked for. Transactions and changes share it, so that
/// neither keeps the other alive.
final class HistoryRecord: Sendable {
  let storeID: String
  let number: Int64
  let timestamp: Date
  let author: String?
  let bundleID: String
  let contextName: String?
  let processID: String
  let changes: [HistoryChangeRecord]?

  init(
    storeID: String, number: Int64, timestamp: Date, author: String?, bundleID: String, contextName: String?,
    processID: String, changes: [HistoryChangeRecord]? = nil
  ) {
    self.storeID = storeID
    self.number = number
    self.timestamp = timestamp
    self.author = author
    self.bundleID = bundleID
    self.contextName = contextName
    self.processID = processID
    self.changes = changes
  }

  /// The same transaction with these changes.
  func with(_ changes: [HistoryChangeRecord]?) -> HistoryRecord {
    HistoryRecord(
      storeID: storeID, number: number, timestamp: timestamp, author: author, bundleID: bundleID,
      contextName: contextName, processID: processID, changes: changes)
  }
}

// Sendable unchecked: immutable, and the values of a tombstone are values of attributes.
/// One change as it was read.
struct HistoryChangeRecord: @unchecked Sendable {
  let id: Int64
  let type: NSPersistentHistoryChangeType
  let objectID: NSManagedObjectID
  /// The properties that the bits of `columns` stand for.
  let bitmaps: HistoryBitmapLayout
  let columns: Data?
  /// The values that outlived the object, by name.
  let tombstone: [AnyHashable: Any]?
}
