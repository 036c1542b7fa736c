import Foundation

/// In the user info of a notification: the set of IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// In the user info of a notification: the set of IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// In the user info of a notification: the set of IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"

extension NSManagedObjectContext {
  /// The name of the notifications that `NSPersistentHistoryTransaction.objectIDNotification()` makes.
  public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
}

extension NSNotification.Name {
  /// The name of the notifications that `NSPersistentHistoryTransaction.objectIDNotification()` makes.
  public static let NSManagedObjectContextDidSaveObjectIDs =
    NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
}
