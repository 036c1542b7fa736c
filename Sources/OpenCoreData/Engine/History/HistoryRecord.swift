import Foundation

/// One transaction as it was read, with its changes if they were asked for. The public transaction and change objects
/// share it, so that neither keeps the other alive.
package final class HistoryRecord: Sendable {
  package let storeID: String
  package let number: Int64
  /// The place in history right after the transaction.
  package let place: HistoryPlace
  package let timestamp: Date
  package let author: String?
  package let bundleID: String
  package let contextName: String?
  package let processID: String
  package let changes: [HistoryChangeRecord]?

  /// - Parameter place: nil if the transaction's number alone is the place.
  package init(
    storeID: String, number: Int64, place: HistoryPlace? = nil, timestamp: Date, author: String?, bundleID: String,
    contextName: String?, processID: String, changes: [HistoryChangeRecord]? = nil
  ) {
    self.storeID = storeID
    self.number = number
    self.place = place ?? .number(number)
    self.timestamp = timestamp
    self.author = author
    self.bundleID = bundleID
    self.contextName = contextName
    self.processID = processID
    self.changes = changes
  }

  /// A copy of the transaction with these changes.
  package func with(_ changes: [HistoryChangeRecord]?) -> HistoryRecord {
    HistoryRecord(
      storeID: storeID, number: number, place: place, timestamp: timestamp, author: author, bundleID: bundleID,
      contextName: contextName, processID: processID, changes: changes)
  }
}

// Sendable unchecked: immutable, and the values of a tombstone are values of attributes.
/// One change as it was read.
package struct HistoryChangeRecord: @unchecked Sendable {
  package let id: Int64
  package let type: NSPersistentHistoryChangeType
  package let objectID: NSManagedObjectID
  /// The properties that the bits of `columns` stand for.
  package let bitmaps: HistoryBitmapLayout
  package let columns: Data?
  /// The values that outlived the object, by name.
  package let tombstone: [AnyHashable: Any]?

  package init(
    id: Int64, type: NSPersistentHistoryChangeType, objectID: NSManagedObjectID, bitmaps: HistoryBitmapLayout,
    columns: Data?, tombstone: [AnyHashable: Any]?
  ) {
    (self.id, self.type, self.objectID) = (id, type, objectID)
    (self.bitmaps, self.columns, self.tombstone) = (bitmaps, columns, tombstone)
  }
}
