import Foundation
import OpenCocoaFoundation

// Taking over what other contexts, coordinators or processes have saved.
extension NSManagedObjectContext {
  final func baseMergeChanges(fromContextDidSave notification: Notification) {
    checkQueue()
    let coordinator = persistentStoreCoordinator
    merge(SavedChanges(notification.userInfo) { coordinator?.managedObjectID(forURIRepresentation: $0) })
  }

  /// Brings contexts up to date with what was saved elsewhere, maybe in another process, or done by a batch request:
  /// objects that they have are refreshed under their own changes, or deleted.
  ///
  /// The way for everything that no save of this coordinator's contexts tells of. Updated and deleted objects that a
  /// context does not have cost nothing; of the others it reads the rows together.
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
    for context in contexts.sorted(by: { $0.depth < $1.depth }) {
      func merge() {
        let coordinator = context.persistentStoreCoordinator
        let changes = SavedChanges(changeNotificationData) {
          coordinator?.managedObjectID(forURIRepresentation: $0)
        }
        context.merge(changes, isForeign: true)
      }
      if context.isConfined { merge() } else { context.performAndWait(merge) }
    }
  }

  /// How many contexts are above this one.
  private final var depth: Int { sequence(first: self, next: \.parentContext).reduce(-1) { count, _ in count + 1 } }

  /// - Parameter isForeign: whether the store may not know yet what was saved.
  final func merge(_ changes: SavedChanges, isForeign: Bool = false) {
    if changes.isEmpty { return }
    endOwnEvents()
    holdingEvent { mergeNow(changes, isForeign: isForeign) }
  }

  private final func mergeNow(_ changes: SavedChanges, isForeign: Bool) {
    // Changes of other contexts are not recorded for undo.
    undoRecorder?.isMerging = true
    defer { undoRecorder?.isMerging = false }
    endReadTransactions()
    advanceQueryGeneration()
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    let (known, comesFromElsewhere) = changes.inLocalTerms(of: self, stores)
    if isForeign || comesFromElsewhere { forgetStale(known, stores) }
    if known.isEverything { refreshAllObjects() }
    var merged = MergedChanges()
    mergeDeletions(known.deleted, &merged)
    merged.refreshed.reserveCapacity(known.updated.count)
    mergeReading = MergeReading(known.updated)
    for id in known.updated { mergeUpdate(id, &merged) }
    mergeReading = nil
    for id in known.inserted { mergeInsertion(id, &merged) }
    noteTouched(known.updated)
    event.merged.append(contentsOf: merged.inserted)
    processPendingChanges()
    post(.NSManagedObjectContextDidMergeChangesObjectIDs, merged.userInfo(known))
  }

  /// The context's own pending changes, and those that their observers make, end as events of their own, which can be
  /// undone.
  private final func endOwnEvents() {
    processPendingChanges()
    for _ in 0..<10 where !event.entries.isEmpty { processPendingChanges() }
  }

  /// Removes rows that were written elsewhere from the row cache: they are outdated. The objects are then read in the
  /// transactions that this begins, since the rows of a save at work may come into the cache meanwhile, and be older.
  private final func forgetStale(_ changes: SavedChanges, _ stores: [NSPersistentStore]) {
    for store in stores {
      // A transaction notices others' commits, and forgets what was cached before.
      let isForgotten = (try? latestReadTransaction(on: store).refresh()) ?? false
      if !isForgotten {
        for id in changes.updated + changes.deleted where id.persistentStore === store {
          store.rows.shard(id.entity.layout.rootNumber).remove([id.key])
        }
      }
    }
  }

  private final func mergeUpdate(_ id: NSManagedObjectID, _ merged: inout MergedChanges) {
    guard let object = registeredObject(for: id) else { return }
    if object.state.contains(.inaccessible) { return mergeReturn(of: object, &merged) }
    // A fault has nothing that could be out of date, but for what it has read of relationships.
    if object.state.contains(.hasNoRow) || object.isUnread && object.relations == nil { return }
    mergeReading?.current = ObjectIdentifier(object)
    refresh(object, mergeChanges: true)
    merged.refreshed.insert(object.objectID)
  }

  private final func mergeInsertion(_ id: NSManagedObjectID, _ merged: inout MergedChanges) {
    if let object = registeredObject(for: id), object.state.contains(.inaccessible) {
      return mergeReturn(of: object, &merged)
    }
    // A temporary ID that is not known here is one of a context below, which has not saved to this one.
    if id.isTemporaryID, registeredObject(for: id) == nil, permanentKey(of: id.key) == nil { return }
    let object = object(with: id)
    // Observers have been told already of objects that this context has saved itself.
    if object.state.contains(.handedUp) { return object.state.subtract(.handedUp) }
    // One that was inserted here, by a child's save for instance, is no news.
    if !object.hasChanges { merged.inserted.append(object) }
  }

  /// The row of an object that counted as gone may be there again: its deletion was undone, or a merge policy kept it.
  private final func mergeReturn(of object: NSManagedObject, _ merged: inout MergedChanges) {
    guard (try? rowNow(object)) != nil else { return }
    object.enterEvent()
    delist(object)
    revive(object)
    event.noteRefresh(of: object)
    merged.refreshed.insert(object.objectID)
  }
}

/// The objects of a context that a merge has changed.
struct MergedChanges {
  var inserted: [NSManagedObject] = []
  var deleted: Set<NSManagedObject> = []
  var refreshed: Set<NSManagedObjectID> = []

  func userInfo(_ changes: SavedChanges) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    if !changes.inserted.isEmpty { info[NSInsertedObjectIDsKey] = Set(changes.inserted) }
    if !changes.updated.isEmpty { info[NSUpdatedObjectIDsKey] = Set(changes.updated) }
    if !changes.deleted.isEmpty { info[NSDeletedObjectIDsKey] = Set(changes.deleted) }
    if !refreshed.isEmpty { info[NSRefreshedObjectIDsKey] = refreshed }
    return info
  }
}
