import Foundation

/// The request by which a save reaches an `NSIncrementalStore`.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects that become rows; they already have their permanent IDs.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects whose rows change.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects whose rows are deleted.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The objects that are not written, but must be checked for conflicts.
  public final let lockedObjects: Set<NSManagedObject>?

  /// Makes a request to write these objects. If all four sets are nil, the request writes only the store's metadata.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSSaveChangesRequest(
      inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
    copy.storesToAsk = affectedStores
    return copy
  }
}
