import Foundation

// Names and keys of the notifications that contexts post.

extension NSNotification.Name {
  /// At the end of an event that has changed objects of a context, which is the notification's object. The user info has sets
  /// of objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`, `NSRefreshedObjectsKey` and
  /// `NSInvalidatedObjectsKey`; after a reset an array of IDs under `NSInvalidatedAllObjectsKey`.
  public static let NSManagedObjectContextObjectsDidChange =
    NSNotification.Name("NSObjectsChangedInManagingContextNotification")

  /// Before a context writes its changes; observers may still change objects. There is no user info.
  public static let NSManagedObjectContextWillSave =
    NSNotification.Name("NSManagingContextWillSaveChangesNotification")

  /// After a context has written its changes. The user info has sets of objects under `NSInsertedObjectsKey`,
  /// `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`; under "newChangeToken" an `NSPersistentHistoryToken` of what was
  /// saved, where a store keeps a history.
  public static let NSManagedObjectContextDidSave =
    NSNotification.Name("NSManagingContextDidSaveChangesNotification")

  /// After a context has written its changes, or made of a transaction of the history: sets of IDs under
  /// `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and `NSDeletedObjectIDsKey`.
  public static let NSManagedObjectContextDidSaveObjectIDs =
    NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")

  /// After a context has merged changes that were made elsewhere: sets of IDs under `NSInsertedObjectIDsKey`,
  /// `NSUpdatedObjectIDsKey`, `NSDeletedObjectIDsKey`, `NSRefreshedObjectIDsKey` and `NSInvalidatedObjectIDsKey`.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs =
    NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  /// See `NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
  /// See `NSManagedObjectContextWillSave`.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// See `NSManagedObjectContextDidSave`.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// See `NSManagedObjectContextDidSaveObjectIDs`.
  public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
  /// See `NSManagedObjectContextDidMergeChangesObjectIDs`.
  public static let didMergeChangesObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys in the user info of a context's notifications: `userInfo?[NotificationKey.insertedObjects.rawValue]`.
  public enum NotificationKey: String, Hashable, Sendable {
    /// The set of inserted objects.
    case insertedObjects = "inserted"
    /// The set of updated objects.
    case updatedObjects = "updated"
    /// The set of deleted objects.
    case deletedObjects = "deleted"
    /// The set of objects that were refreshed, and not changed besides.
    case refreshedObjects = "refreshed"
    /// The set of objects that are of no use any more.
    case invalidatedObjects = "invalidated"
    /// After a reset: the array of all objects' IDs.
    case invalidatedAllObjects = "invalidatedAll"
    /// The set of IDs of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The set of IDs of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The set of IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The set of IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The set of IDs of objects that are of no use any more.
    case invalidatedObjectIDs = "invalidated_objectIDs"
    /// The query generation that a pinned context is at after its save.
    case queryGeneration = "newQueryGeneration"
  }
}

/// In the user info of a notification: the set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// In the user info of a notification: the set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// In the user info of a notification: the set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// In the user info of a notification: the set of objects that were refreshed, and not changed besides.
public let NSRefreshedObjectsKey = "refreshed"
/// In the user info of a notification: the set of objects that are of no use any more.
public let NSInvalidatedObjectsKey = "invalidated"
/// In the user info of a notification: the array of the IDs of all objects, after the context was reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// In the user info of a notification: the set of IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// In the user info of a notification: the set of IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// In the user info of a notification: the set of IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// In the user info of a notification: the set of IDs of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// In the user info of a notification: the set of IDs of objects that are of no use any more.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// In the user info of `NSManagedObjectContextDidSave`: the `NSQueryGenerationToken` of what a pinned context sees after
/// its save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

/// In the user info of `NSManagedObjectContextDidSave`: the history token of the save. Apple's framework has the text and no
/// name for it.
let NSManagedObjectContextNewChangeTokenKey = "newChangeToken"
