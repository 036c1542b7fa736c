import Foundation

/// The request by which a save reaches an `NSIncrementalStore`.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects that become rows; they have their permanent IDs.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects whose rows change.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects whose rows go.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The objects that conflicts were to be looked for in, unchanged as they are.
  public final let lockedObjects: Set<NSManagedObject>?

  /// A request to write those objects; four nils write the store's metadata alone.
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
    copy.storesToAsk = storesToAsk
    return copy
  }
}
