import Foundation
import OpenCocoaFoundation

// Taking over what other contexts, coordinators or processes have saved.
extension NSManagedObjectContext {
  /// Brings the context up to date with what another one has saved: objects that it has are refreshed, with the changes
  /// made here kept on top; what was inserted becomes known as faults; what was deleted is deleted here, too.
  ///
  /// Call it on this context's queue, with the notification of the other one's save, of whatever coordinator, or with one
  /// made from the persistent history. Posts `NSManagedObjectContextObjectsDidChange` and
  /// `NSManagedObjectContextDidMergeChangesObjectIDs`. A pinned context moves on to the latest generation.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    let coordinator = persistentStoreCoordinator
    merge(SavedChanges(notification.userInfo) { coordinator?.managedObjectID(forURIRepresentation: $0) })
  }

  /// Brings contexts up to date with what was saved elsewhere, maybe in another process.
  /// - Parameters:
  ///   - changeNotificationData: arrays or sets of IDs, or of URIs of IDs, under `NSInsertedObjectsKey`,
  ///     `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`; `NSInvalidatedAllObjectsKey` refreshes every object.
  ///   - contexts: they are entered one after the other, those without a parent first.
  public final class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts.sorted(by: { $0.depth < $1.depth }) {
      context.performAndWait {
        let coordinator = context.persistentStoreCoordinator
        let changes = SavedChanges(changeNotificationData) {
          coordinator?.managedObjectID(forURIRepresentation: $0)
        }
        context.merge(changes, isForeign: true)
      }
    }
  }

  /// How many contexts are above this one.
  private final var depth: Int { sequence(first: self, next: \.parent).reduce(-1) { count, _ in count + 1 } }

  /// - Parameter isForeign: whether the store may not know yet what was saved.
  final func merge(_ changes: SavedChanges, isForeign: Bool = false) {
    checkQueue()
    if changes.isEmpty { return }
    // What has been changed here is another event, which can be undone.
    processPendingChanges()
    // What others have done is not undone here.
    undoRecorder?.isMerging = true
    defer { undoRecorder?.isMerging = false }
    endLeases()
    advanceQueryGeneration()
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    let known = changes.inLocalTerms(of: self, stores)
    if isForeign || known.isForeign { forgetStale(known.changes, stores) }
    if known.changes.isEverything { refreshAllObjects() }
    var merged = MergedChanges()
    for id in known.changes.deleted { mergeDeletion(id, &merged) }
    if !merged.deleted.isEmpty { dropReferences(to: merged.deleted) }
    for id in known.changes.updated { mergeUpdate(id, &merged) }
    for id in known.changes.inserted { mergeInsertion(id, &merged) }
    event.merged.append(contentsOf: merged.inserted)
    processPendingChanges()
    post(.NSManagedObjectContextDidMergeChangesObjectIDs, merged.userInfo(known.changes))
  }

  /// What the row cache has of rows that were written elsewhere does not hold any more.
  private final func forgetStale(_ changes: SavedChanges, _ stores: [NSPersistentStore]) {
    for store in stores {
      if store is SQLStore {
        // The transaction that begins here notices others' commits, and forgets what was cached before.
        try? latestLease(on: store).read(latest: true) { _, _ in }
      } else {
        for id in changes.updated + changes.deleted where id.persistentStore === store {
          store.rows.shard(id.entity.layout.rootNumber).remove([id.key])
        }
      }
    }
    endLeases()
  }

  private final func mergeUpdate(_ id: NSManagedObjectID, _ merged: inout MergedChanges) {
    guard let object = registeredObject(for: id), !object.state.contains(.hasNoRow) else { return }
    // A fault has nothing that could be out of date, but for what it has read of relationships.
    if object.isFault, object.relations == nil { return }
    refresh(object, mergeChanges: true)
    merged.refreshed.insert(object.objectID)
  }

  private final func mergeInsertion(_ id: NSManagedObjectID, _ merged: inout MergedChanges) {
    let object = object(with: id)
    // One that was inserted here, by a child's save for instance, is no news.
    if !object.hasChanges { merged.inserted.append(object) }
  }

  /// The row is gone, so the next save has nothing to do for it.
  private final func mergeDeletion(_ id: NSManagedObjectID, _ merged: inout MergedChanges) {
    guard let object = registeredObject(for: id), !object.state.contains(.inaccessible) else { return }
    object.prepareForDeletion()
    object.enterEvent()
    if object.snapshot == nil, object.changes == nil {
      object.changes = ChangedValues(ContiguousArray(repeating: .null, count: object.layout.valueCount))
    }
    object.state.formUnion([.deleted, .deletionPropagated, .inaccessible, .hasNoRow])
    object.state.remove(.updated)
    list(object)
    merged.deleted.insert(object)
  }

  /// Changes made here that refer to objects which are gone would keep the next save from succeeding.
  private final func dropReferences(to gone: Set<NSManagedObject>) {
    for object in changed where !object.state.contains(.deleted) {
      guard object.changes != nil || object.relations != nil else { continue }
      for slot in object.layout.slots where slot.kind.isRelationship && !slot.isTransient {
        if slot.kind == .toOne {
          if case .object(let member)? = object.changedValue(slot), gone.contains(member) { object.forget(member, slot) }
        } else if let state = object.relations?.states[slot.relationIndex] as? ToManyState {
          for member in state.added.intersection(gone) { object.forget(member, slot) }
        }
      }
    }
  }
}

extension NSManagedObject {
  /// Lets go of a member whose row is gone.
  fileprivate final func forget(_ member: NSManagedObject, _ slot: PropertySlot) {
    if slot.kind == .toOne {
      setToOne(nil, slot)
    } else {
      removeMember(member, slot)
    }
  }
}

/// What a merge has done to the objects of a context.
private struct MergedChanges {
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

extension SavedChanges {
  /// The changes by IDs of a context's own stores, each once; what is in none of them is left out.
  fileprivate func inLocalTerms(
    of context: NSManagedObjectContext, _ stores: [NSPersistentStore]
  ) -> (changes: SavedChanges, isForeign: Bool) {
    var isForeign = false
    func local(_ id: NSManagedObjectID) -> NSManagedObjectID? {
      if id.isTemporaryID || stores.contains(where: { $0 === id.persistentStore }) { return id }
      isForeign = true
      return context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation())
    }
    func once(_ ids: [NSManagedObjectID], without other: Set<NSManagedObjectID> = []) -> [NSManagedObjectID] {
      var seen = other
      return ids.compactMap(local).filter { seen.insert($0).inserted }
    }
    var result = self
    result.deleted = once(deleted)
    result.inserted = once(inserted, without: Set(result.deleted))
    result.updated = once(updated, without: Set(result.deleted))
    return (result, isForeign)
  }
}
