import Foundation
import OpenCocoaFoundation

/// One merge: the objects of a context take over the changes that others have saved, on the context's queue.
struct MergeRun {
  let context: NSManagedObjectContext
  /// What the merge has changed so far.
  var merged = MergedChanges()

  init(into context: NSManagedObjectContext) { self.context = context }

  /// - Parameter isForeign: whether the store may not know yet what was saved.
  mutating func merge(_ changes: SavedChanges, isForeign: Bool) {
    endOwnEvents()
    context.events.hold { mergeNow(changes, isForeign: isForeign) }
  }

  private mutating func mergeNow(_ changes: SavedChanges, isForeign: Bool) {
    // Changes of other contexts are not recorded for undo.
    context.undoRecorder?.isMerging = true
    defer { context.undoRecorder?.isMerging = false }
    context.reads.end()
    context.reads.advance()
    let stores = context.persistentStoreCoordinator?.persistentStores ?? []
    let (known, comesFromElsewhere) = changes.inLocalTerms(of: context, stores)
    if isForeign || comesFromElsewhere { forgetStale(known, stores) }
    context.merger.beginCollecting()
    if known.isEverything { context.refreshAllObjects() }
    mergeDeletions(known.deleted)
    // The other ends of what is merged next may lead to objects whose rows are there again.
    if context.changed.hasGone { mergeReturns(known.updated + known.inserted) }
    merged.refreshed.reserveCapacity(known.updated.count)
    let written = known.updated + known.inserted.filter(isRead)
    context.merger.readingTogether(written) { reading in
      for id in written { mergeUpdate(id, reading) }
    }
    for id in known.inserted { mergeInsertion(id, known) }
    if isForeign || comesFromElsewhere { loadTogether(merged.inserted) }
    context.merger.endCollecting(in: context)
    let touched = noteTouched(known.updated)
    if isForeign || comesFromElsewhere { loadTogether(touched) }
    context.event.noteMerged(merged.inserted)
    let effects = context.events.processMerged(known)
    Notifier(of: context).post(.NSManagedObjectContextDidMergeChangesObjectIDs, merged.userInfo(known))
    AutomaticMerging.passDown(effects, from: context)
  }

  /// Ends the context's own pending changes, and those that their observers make, as events of their own, which can be
  /// undone.
  private func endOwnEvents() {
    context.processPendingChanges()
    for _ in 0..<10 where !context.event.entries.isEmpty { context.processPendingChanges() }
  }

  /// Removes rows that were written elsewhere from the row cache, since they are outdated. This begins transactions, in
  /// which the objects are then read: a save at work may put rows into the cache meanwhile that are older.
  private func forgetStale(_ changes: SavedChanges, _ stores: [NSPersistentStore]) {
    for store in stores {
      // A transaction notices commits by others, and then forgets the rows that were cached before.
      let isForgotten = (try? context.reads.latest(on: store).refresh()) ?? false
      if !isForgotten {
        for id in changes.updated + changes.deleted where id.persistentStore === store {
          store.rows.shard(id.entity.layout.rootNumber).remove([id.key])
        }
      }
    }
  }

  /// Whether the context has read an object that was inserted elsewhere: one that was saved before and inserted again, or
  /// one that was fetched between the save and the merge. Its values may be out of date.
  private func isRead(_ id: NSManagedObjectID) -> Bool {
    guard let object = context.registeredObject(for: id) else { return false }
    return object.state.isDisjoint(with: [.hasNoRow, .inaccessible, .handedUp])
      && (object.snapshot != nil || object.relations != nil)
  }

  private mutating func mergeUpdate(_ id: NSManagedObjectID, _ reading: MergeReading) {
    guard let object = context.registeredObject(for: id) else { return }
    if object.state.contains(.inaccessible) { return mergeReturn(of: object) }
    // An object that is a fault has no values that could be out of date; it may only have read relationships.
    if object.state.contains(.hasNoRow) || object.isUnread && object.relations == nil { return }
    reading.current = ObjectIdentifier(object)
    context.refresh(object, mergeChanges: true)
    merged.refreshed.insert(object.objectID)
  }

  private mutating func mergeInsertion(_ id: NSManagedObjectID, _ known: SavedChanges) {
    if merged.returned.contains(id) { return }
    if let object = context.registeredObject(for: id) {
      if object.state.contains(.inaccessible) { return mergeReturn(of: object) }
      if object.key > 0, object.state.contains(.inserted) { return mergeRow(of: object) }
    }
    // A temporary ID that is unknown here belongs to a context below, which has not saved to this one.
    if id.isTemporaryID, context.registeredObject(for: id) == nil,
      KeyExchange(of: context).permanentKey(of: id.key) == nil,
      context.parentContext == nil || (try? context.existingObject(with: id)) == nil
    {
      return
    }
    let object = context.object(with: id)
    // Observers have been told already of objects that this context has saved itself.
    if object.state.contains(.handedUp) {
      object.state.subtract(.handedUp)
      if known.altered.contains(id) { context.refresh(object, mergeChanges: true) }
      return
    }
    // What a child has read of a parent's unsaved object may have changed since.
    if context.parentContext != nil, object.relations != nil || object.snapshot?.commit == 0 {
      context.refresh(object, mergeChanges: true)
    }
    // An object that was inserted here, by a child's save for instance, is not new to this context.
    if !object.hasChanges { merged.inserted.append(object) }
  }

  /// Has objects that were inserted or changed elsewhere load together, as those of a fetch do: their rows are not in the row
  /// cache, and a results controller that looks for the place of one looks at all of them.
  private func loadTogether(_ objects: [NSManagedObject]) {
    let faults = objects.filter { $0.isUnread && $0.faultBatch == nil && $0.key > 0 }
    guard faults.count > 1 else { return }
    let groups = Dictionary(grouping: faults) { object in
      [object.table.map(ObjectIdentifier.init), ObjectIdentifier(object.layout)]
    }
    for objects in groups.values {
      let faultBatch = FaultBatch(ContiguousArray(objects.map(\.key)), layout: objects[0].layout)
      for object in objects { object.faultBatch = faultBatch }
    }
  }

  private mutating func mergeReturns(_ ids: [NSManagedObjectID]) {
    for id in ids {
      guard let object = context.registeredObject(for: id), object.state.contains(.inaccessible) else { continue }
      merged.returned.insert(id)
      mergeReturn(of: object)
    }
  }

  /// The row of an object that counted as gone may be there again: its deletion was undone, or a merge policy kept it.
  private mutating func mergeReturn(of object: NSManagedObject) {
    guard (try? FaultReader(of: context).rowNow(object)) != nil else { return }
    object.enterEvent()
    context.delist(object)
    object.revive()
    context.event.noteRefresh(of: object)
    merged.refreshed.insert(object.objectID)
  }

  /// The row of an object that was inserted here under its former ID, which others have done, too, or whose deletion the parent
  /// has taken back: what is set here stays, and the next save updates the row.
  private mutating func mergeRow(of object: NSManagedObject) {
    guard let row = try? FaultReader(of: context).rowNow(object) else { return }
    let returned = MergedObjects(context)
    object.meet(row, setValuesOnly: true, returned)
    try? returned.update()
    try? returned.matchEnds()
    returned.finish()
    merged.refreshed.insert(object.objectID)
  }

  /// Notes faults whose rows another context has changed as touched, if an observer may show them or has to add them.
  /// Notifications do not tell of such objects, since their values have not been read here.
  /// - Returns: these objects.
  private func noteTouched(_ ids: [NSManagedObjectID]) -> [NSManagedObject] {
    if context.observers.isEmpty { return [] }
    var touched: [NSManagedObject] = []
    for id in ids where !id.isTemporaryID {
      guard context.observers.mayInclude(context.objects.localLayout(id.entity)) else { continue }
      let object = context.object(with: id)
      if object.hasChanges || object.state.contains(.refreshed) || object.state.contains(.hasNoRow) { continue }
      context.event.noteTouched(object)
      touched.append(object)
    }
    return touched
  }
}
