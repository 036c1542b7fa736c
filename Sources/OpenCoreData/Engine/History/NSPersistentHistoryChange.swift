import Foundation

/// The kind of change that a transaction made to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted; ``NSPersistentHistoryChange/updatedProperties`` is nil.
  case insert = 0
  /// The object was updated; ``NSPersistentHistoryChange/updatedProperties`` says which properties.
  case update = 1
  /// The object was deleted; ``NSPersistentHistoryChange/tombstone`` has the values that the model preserves.
  case delete = 2
}

// Sendable unchecked: immutable.
/// One object that a transaction inserted, updated or deleted. It has the object's ID, but no values: the store has the
/// present ones.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  private let change: HistoryChangeRecord
  private let record: HistoryRecord

  package init(_ change: HistoryChangeRecord, of record: HistoryRecord) {
    self.change = change
    self.record = record
    super.init()
  }

  /// The change's number in its store; later changes have greater ones.
  public var changeID: Int64 { change.id }

  /// The kind of change.
  public var changeType: NSPersistentHistoryChangeType { change.type }

  /// The object that was changed; it may be gone by now.
  public var changedObjectID: NSManagedObjectID { change.objectID }

  /// The last values of a deleted object's attributes with `preservesValueInHistoryOnDeletion`, by name; nil where the
  /// entity has no such attributes, and for other changes. Attributes that were nil are not in it.
  public var tombstone: [AnyHashable: Any]? { change.tombstone }

  /// The properties of an updated object that were changed; nil for other changes.
  public var updatedProperties: Set<NSPropertyDescription>? {
    change.type == .update ? change.columns.map(change.bitmaps.properties(in:)) ?? [] : nil
  }

  /// The transaction that the change is part of.
  public var transaction: NSPersistentHistoryTransaction? { NSPersistentHistoryTransaction(record) }

  /// The change itself, since it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return change.id == other.change.id && record.number == other.record.number
      && record.storeID == other.record.storeID
  }

  public override var hash: Int { change.id.hashValue }

  public override var description: String {
    "<NSPersistentHistoryChange: \(change.id), \(change.type) of \(change.objectID.uriRepresentation().absoluteString)>"
  }
}
