import Foundation
import OpenCocoaFoundation

// Taking over what other contexts, coordinators or processes have saved.
extension NSManagedObjectContext {
  /// Brings contexts up to date with what was saved elsewhere, maybe in another process, or done by a batch request:
  /// objects that they have are refreshed under their own changes, or deleted.
  ///
  /// Use it for all changes that no save of this coordinator's contexts reports. Updated and deleted objects that a
  /// context does not have cost nothing; the rows of the others are read together.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let delete = NSBatchDeleteRequest(objectIDs: [entry.objectID])
  /// delete.resultType = .resultTypeObjectIDs
  /// let result = try context.execute(delete) as? NSBatchDeleteResult
  /// let deleted = result?.result as? [NSManagedObjectID] ?? []
  /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
  /// print(entry.isDeleted || entry.managedObjectContext == nil)  // true
  /// ```
  ///
  /// Each context is entered by `performAndWait`, so call it from any thread, though not while holding a lock that a
  /// context's block takes.
  /// - Parameters:
  ///   - changeNotificationData: arrays or sets of IDs, or of URIs of IDs, under `NSInsertedObjectsKey`,
  ///     `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`, or the keys for IDs; `NSInvalidatedAllObjectsKey` refreshes
  ///     every object.
  ///   - contexts: they are entered one after the other, parents before their children.
  ///
  /// See also ``mergeChanges(fromContextDidSave:)``, ``execute(_:mergingInto:)``.
  public final class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts.sorted(by: { $0.ancestors.count < $1.ancestors.count }) {
      func merge() {
        let coordinator = context.persistentStoreCoordinator
        let changes = SavedChanges(changeNotificationData) {
          coordinator?.managedObjectID(forURIRepresentation: $0)
        }
        context.merger.merge(changes, into: context, isForeign: true)
      }
      if context.isConfined { merge() } else { context.performAndWait(merge) }
    }
  }
}
