import Foundation

// Names and keys of the notifications that contexts post.

extension NSNotification.Name {
  /// Posted at the end of an event that has changed objects of a context, which is the notification's object: at the end
  /// of a `perform`, in a save, before a fetch, after a merge. For screens and caches that follow unsaved changes.
  ///
  /// The user info has sets of objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`,
  /// `NSRefreshedObjectsKey` and `NSInvalidatedObjectsKey`, those that are empty left out; after a reset an array of
  /// IDs under `NSInvalidatedAllObjectsKey`. It is posted on the context's queue, so observe the context that you mean,
  /// with `queue: nil`, and use the objects at once.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
  /// ) { notification in
  ///   print((notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0)  // 1
  /// }
  /// Entry(context: context).title = "Thursday"
  /// context.processPendingChanges()
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  ///
  /// An observer's own changes are reported in an event of their own. To follow the contents of a list, use an
  /// ``NSFetchedResultsController``.
  public static let NSManagedObjectContextObjectsDidChange =
    NSNotification.Name("NSObjectsChangedInManagingContextNotification")

  /// Posted before a context writes its changes; observers may still change objects, and their changes are saved, too.
  /// There is no user info: ask the context for its ``NSManagedObjectContext/insertedObjects`` and the like.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextWillSave, object: context, queue: nil
  /// ) { notification in
  ///   guard let context = notification.object as? NSManagedObjectContext else { return }
  ///   for case let entry as Entry in context.insertedObjects where entry.date == nil { entry.date = Date() }
  /// }
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// try context.save()
  /// print(entry.date != nil)  // true
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  ///
  /// Validation comes after it. It is posted where there is nothing to save, too, and on the context's queue.
  public static let NSManagedObjectContextWillSave =
    NSNotification.Name("NSManagingContextWillSaveChangesNotification")

  /// Posted after a context has written its changes; of a child context, handed them to its parent. Use it for work that
  /// has to happen once a change is certain: an index, a message to another program, a merge.
  ///
  /// The user info has sets of objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`;
  /// under "newChangeToken" an `NSPersistentHistoryToken` of what was saved, where a store keeps a history (D-CTX-10).
  /// **The objects are those of the saving context**, on whose queue it is posted: to another queue take their IDs, or
  /// observe ``NSManagedObjectContextDidSaveObjectIDs``, which has only IDs.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: .NSManagedObjectContextDidSave, object: context, queue: nil
  /// ) { notification in
  ///   let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
  ///   print(updated.compactMap { ($0 as? Entry)?.title })  // ["Monday"]
  /// }
  /// try fetchEntry("Monday", in: context).rating = 1
  /// try context.save()
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  ///
  /// With `object: nil` an observer hears of every context of the program. Batch requests post nothing.
  ///
  /// See also ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``.
  public static let NSManagedObjectContextDidSave =
    NSNotification.Name("NSManagingContextDidSaveChangesNotification")

  /// Posted after a context has written its changes, or made of a transaction of the history: sets of IDs under
  /// `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and `NSDeletedObjectIDsKey`, which may go to any thread.
  public static let NSManagedObjectContextDidSaveObjectIDs =
    NSNotification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")

  /// Posted after a context has merged changes that were made elsewhere: sets of IDs under `NSInsertedObjectIDsKey`,
  /// `NSUpdatedObjectIDsKey`, `NSDeletedObjectIDsKey`, `NSRefreshedObjectIDsKey` and `NSInvalidatedObjectIDsKey`.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs =
    NSNotification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  /// The name of the notification that tells what an event has changed: `NSManagedObjectContextObjectsDidChange`, where
  /// the user info is described.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: NSManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
  /// ) { print($0.userInfo?.keys.compactMap { $0 as? String } ?? []) }  // ["updated"]
  /// try fetchEntry("Monday", in: context).rating = 1
  /// context.processPendingChanges()
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
  /// The name of the notification before a save: `NSManagedObjectContextWillSave`, where it is described.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: NSManagedObjectContext.willSaveObjectsNotification, object: context, queue: nil
  /// ) { _ in print("about to save") }  // about to save
  /// try context.save()
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// The name of the notification after a save: `NSManagedObjectContextDidSave`, where the user info is described.
  ///
  /// ```swift
  /// let token = NotificationCenter.default.addObserver(
  ///   forName: NSManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
  /// ) { _ in print("somebody has saved") }  // somebody has saved
  /// try await container.performBackgroundTask { context in
  ///   Entry(context: context).title = "Thursday"
  ///   try context.save()
  /// }
  /// NotificationCenter.default.removeObserver(token)
  /// ```
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// The name of the notification after a save that has IDs alone: `NSManagedObjectContextDidSaveObjectIDs`.
  public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
  /// The name of the notification after a merge: `NSManagedObjectContextDidMergeChangesObjectIDs`.
  public static let didMergeChangesObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The keys in the user info of a context's notifications: `userInfo?[NotificationKey.insertedObjects.rawValue]`.
  public enum NotificationKey: String, Hashable, Sendable {
    /// The set of inserted objects. Like all of these keys, it is absent where there are no such objects.
    case insertedObjects = "inserted"
    /// The set of updated objects.
    case updatedObjects = "updated"
    /// The set of deleted objects, cascades included.
    case deletedObjects = "deleted"
    /// The set of objects that were refreshed, and not changed besides.
    ///
    /// ```swift
    /// let key = NSManagedObjectContext.NotificationKey.refreshedObjects.rawValue
    /// let token = NotificationCenter.default.addObserver(
    ///   forName: NSManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
    /// ) { print(($0.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0) }  // 1
    /// let entry = try fetchEntry("Monday", in: context)
    /// context.refresh(entry, mergeChanges: true)
    /// context.processPendingChanges()
    /// print(entry.isFault)  // true
    /// NotificationCenter.default.removeObserver(token)
    /// ```
    case refreshedObjects = "refreshed"
    /// The set of objects that cannot be used any more; never posted here (D-CTX-14).
    case invalidatedObjects = "invalidated"
    /// After a reset: the array of the IDs of all objects, none of which can be used any more.
    case invalidatedAllObjects = "invalidatedAll"
    /// The set of IDs of inserted objects, permanent ones after a save.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The set of IDs of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The set of IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The set of IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The set of IDs of objects that cannot be used any more; never posted here (D-CTX-14).
    case invalidatedObjectIDs = "invalidated_objectIDs"
    /// The query generation that a pinned context is at after its save.
    case queryGeneration = "newQueryGeneration"
  }
}

/// In the user info of `ObjectsDidChange` and `DidSave`: the set of inserted objects; absent where there are none. It is
/// also a key of the dictionary that ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` takes, with IDs
/// or URIs.
///
/// ```swift
/// let id = Entry(context: container.newBackgroundContext()).objectID
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: [id]], into: [context])
/// print(context.registeredObjects.count)  // 0
/// ```
///
/// A merge brings an inserted object into a context as a fault; results controllers learn of the object by this.
public let NSInsertedObjectsKey = "inserted"
/// In the user info of `ObjectsDidChange` and `DidSave`: the set of updated objects, whatever was changed in them: ask
/// each for its `changedValues()`, which after a save is too late. Absent where there are none.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(
///   forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
/// ) { notification in
///   for object in notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? [] {
///     print(object.changedValues().keys.sorted())  // ["rating", "words"]
///   }
/// }
/// let entry = try fetchEntry("Monday", in: context)
/// (entry.rating, entry.words) = (1, 1)
/// context.processPendingChanges()
/// NotificationCenter.default.removeObserver(token)
/// ```
public let NSUpdatedObjectsKey = "updated"
/// In the user info of `ObjectsDidChange` and `DidSave`: the set of deleted objects, those of cascades included. Absent
/// where there are none.
///
/// After a save these objects have no context and only the values that were read before: take the `objectID` of each,
/// and no more.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(
///   forName: .NSManagedObjectContextDidSave, object: context, queue: nil
/// ) { notification in
///   let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
///   print(deleted.map { $0.objectID.entity.name ?? "" }.sorted())  // ["Entry", "Page", "Page"]
/// }
/// context.delete(try fetchEntry("Monday", in: context))
/// try context.save()
/// NotificationCenter.default.removeObserver(token)
/// ```
public let NSDeletedObjectsKey = "deleted"
/// In the user info of `ObjectsDidChange`: the set of objects that were refreshed by a merge, a refresh or a rollback,
/// and not changed besides. An object that was both refreshed and changed is under `NSUpdatedObjectsKey` alone
/// (D-CTX-15).
///
/// A screen that shows an object reads it again for both keys.
///
/// ```swift
/// let entry = try fetchEntry("Monday", in: context)
/// let token = NotificationCenter.default.addObserver(
///   forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
/// ) { notification in
///   let keys = [NSUpdatedObjectsKey, NSRefreshedObjectsKey]
///   let changed = keys.flatMap { notification.userInfo?[$0] as? Set<NSManagedObject> ?? [] }
///   print(changed.compactMap { ($0 as? Entry)?.title })  // ["Monday"]
/// }
/// context.refreshAllObjects()
/// print(entry.hasChanges)  // false
/// NotificationCenter.default.removeObserver(token)
/// ```
public let NSRefreshedObjectsKey = "refreshed"
/// In the user info of a notification: the set of objects that cannot be used any more. Never posted here (D-CTX-14); a
/// merge accepts the key.
public let NSInvalidatedObjectsKey = "invalidated"
/// In the user info of `ObjectsDidChange`: the array of the IDs of all objects, after the context was reset. In changes
/// that are merged from elsewhere, the key makes the merge refresh every object, whatever its value.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// In the user info of `DidSaveObjectIDs` and `DidMergeChangesObjectIDs`: the set of IDs of inserted objects, which may
/// go to any thread.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// In the user info of `DidSaveObjectIDs` and `DidMergeChangesObjectIDs`: the set of IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// In the user info of `DidSaveObjectIDs` and `DidMergeChangesObjectIDs`: the set of IDs of deleted objects, whose rows
/// are gone.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// In the user info of `DidMergeChangesObjectIDs`: the set of IDs of objects that the merge has refreshed.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// In the user info of a notification: the set of IDs of objects that cannot be used any more; never posted here (D-CTX-14).
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// In the user info of `NSManagedObjectContextDidSave`: the `NSQueryGenerationToken` of the state that a pinned context
/// sees after its save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

/// In the user info of `NSManagedObjectContextDidSave`: the history token of the save. Apple's framework uses this text
/// without giving it a name.
let NSManagedObjectContextNewChangeTokenKey = "newChangeToken"
