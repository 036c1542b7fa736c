import Foundation

// Sendable unchecked: immutable.
/// One save or batch request in the history of a store: when it was made, by which process and author, and what it changed.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// let first = (result?.result as? [NSPersistentHistoryTransaction])?.first
/// print(first?.transactionNumber ?? 0, first?.changes?.count ?? 0)  // 1 7
/// ```
///
/// See also ``NSManagedObjectContext/transactionAuthor``, ``objectIDNotification()``.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  package let record: HistoryRecord

  /// The changes of the transaction; nil where only transactions were asked for.
  public let changes: [NSPersistentHistoryChange]?

  package init(_ record: HistoryRecord) {
    self.record = record
    changes = record.changes.map { changes in changes.map { NSPersistentHistoryChange($0, of: record) } }
    super.init()
  }

  /// The time of the save, by the clock of the saving process.
  public var timestamp: Date { record.timestamp }

  /// The transaction's number in its store: from 1 in a SQLite store, the server's number in a store of a server.
  public var transactionNumber: Int64 { record.number }

  /// The UUID of the store.
  public var storeID: String { record.storeID }

  /// The identifier of the bundle that saved it; here the executable's name where there is none.
  public var bundleID: String { record.bundleID }

  /// The name of the process that saved it.
  public var processID: String { record.processID }

  /// The name that the saving context had; nil if it had none.
  public var contextName: String? { record.contextName }

  /// The saving context's `transactionAuthor`; nil if it had none. Readers tell their own changes by it.
  public var author: String? { record.author }

  /// The place in history right after this transaction: a reader that has seen the transaction keeps this token.
  public var token: NSPersistentHistoryToken { NSPersistentHistoryToken([record.storeID: record.place]) }

  /// The transaction itself, since it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return record.number == other.record.number && record.storeID == other.record.storeID
  }

  public override var hash: Int { record.number.hashValue }

  public override var description: String {
    "<NSPersistentHistoryTransaction: \(record.number) in \(record.storeID), \(record.timestamp), author "
      + "\(record.author ?? "nil")>"
  }

  /// A notification with the IDs of the inserted, updated and deleted objects, as a context posts it after a save; the
  /// IDs are sets of `NSManagedObjectID`. It has no IDs where only transactions were asked for.
  public func objectIDNotification() -> Notification {
    var identifiers: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
    for change in changes ?? [] { identifiers[change.changeType, default: []].insert(change.changedObjectID) }
    let keys: [(NSPersistentHistoryChangeType, String)] = [
      (.insert, NSInsertedObjectIDsKey), (.update, NSUpdatedObjectIDsKey), (.delete, NSDeletedObjectIDsKey),
    ]
    var userInfo: [AnyHashable: Any] = [:]
    for (type, key) in keys { userInfo[key] = identifiers[type] }
    return Notification(name: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, userInfo: userInfo)
  }
}
