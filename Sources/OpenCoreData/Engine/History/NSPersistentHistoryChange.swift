import Foundation

/// What a transaction did with an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted; ``NSPersistentHistoryChange/updatedProperties`` is nil.
  case insert = 0
  /// The object was updated; ``NSPersistentHistoryChange/updatedProperties`` says which properties.
  case update = 1
  /// The object was deleted; ``NSPersistentHistoryChange/tombstone`` has what the model keeps of it.
  case delete = 2
}

// Sendable unchecked: immutable.
/// One object that a transaction inserted, updated or deleted. It has the object's ID, not its values: those are in the
/// store, as they are now.
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

  /// What was done with the object.
  public var changeType: NSPersistentHistoryChangeType { change.type }

  /// The object that was changed; it may be gone by now.
  public var changedObjectID: NSManagedObjectID { change.objectID }

  /// Of a deleted object, the last values of attributes with `preservesValueInHistoryOnDeletion`, by name; nil where the
  /// entity has none, and for other changes. Attributes that were nil are not in it.
  public var tombstone: [AnyHashable: Any]? { change.tombstone }

  /// Of an updated object, the properties that were changed; nil for other changes.
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
