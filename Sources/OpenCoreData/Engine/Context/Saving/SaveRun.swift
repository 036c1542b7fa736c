import Foundation
import OpenCocoaFoundation

/// One save of a context, on its queue: events, hooks, validation, one transaction per store, then the objects learn what
/// was written.
struct SaveRun {
  let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  func save() throws {
    context.checkQueue()
    // A thread that waits in the middle of a save may be acted for: inside of the parent it does not wait.
    if let parentContext = context.parentContext, !ContextStack.contains(parentContext) {
      return try context.ancestors.enteringIfConfined { try parentContext.performAndWait { try context.save() } }
    }
    guard !context.saving.isRunning else {
      throw NSError(
        coreData: 132001, "attempt to recursively call -save: on the context aborted",
        ["message": "attempt to recursively call -save: on the context aborted"])
    }
    context.saving.begin()
    defer {
      context.saving.end()
      context.undoRecorder?.stepOfSave = nil
    }
    let watch = Watchers.watchContexts ? ContextWatch(.save) : nil
    do {
      if let kinds = try saveChanges() {
        watch?.endSave(inserted: kinds.inserted.count, updated: kinds.updated.count, deleted: kinds.deleted.count)
      } else {
        watch?.cancel()
      }
    } catch {
      watch?.fail()
      throw error
    }
  }

  /// - Returns: nil where there was nothing to save.
  private func saveChanges() throws -> SavedObjects? {
    KeyExchange(of: context).absorb()
    context.notices.beginSave()
    context.events.end(isSaving: true)
    defer { context.event.toldOfSave = nil }
    Notifier(of: context).post(.NSManagedObjectContextWillSave, nil)
    try callWillSave()
    context.changed.removeAll { object in
      let isOver = !object.isPending
      if isOver { object.state.remove(.listed) }
      return isOver
    }
    guard !context.changed.isEmpty else {
      if context.parentContext == nil { try saveMetadata() }
      Notifier(of: context).postDidSave(SavedObjects())
      return nil
    }
    try validate()
    try checkReferences()
    try context.undoRecorder?.readUnreadValues()
    let kinds: SavedObjects
    if let parentContext = context.parentContext {
      context.reads.end()
      kinds = SavedObjects(context.changed)
      try push(to: parentContext)
    } else {
      kinds = try write()
    }
    // Changes that observers make from here on are another undo step.
    context.undoRecorder?.stepOfSave = nil
    let saved = context.changed
    context.changed = ChangedObjects()
    context.saving.forgetGuarded()
    saved.forEachUncounted { $0.state.remove(.listed) }
    for object in saved { object.didSave() }
    // Not before: in didSave a deleted object still knows that it is one.
    saved.forEachUncounted { if $0.state.contains(.deleted) { context.objects.unregister($0) } }
    Notifier(of: context).postDidSave(kinds)
    AutomaticMerging.broadcast(kinds, from: context)
    return kinds
  }

  /// Hands the changes to the stores; the objects learn what was written.
  private func write() throws -> SavedObjects {
    var written: [SaveWork] = []
    do {
      try resolvingConflicts {
        try realiseChanged()
        context.reads.end()
        for (store, work) in try worksByStore(without: written) {
          guard let result = try write(work, to: store) else { continue }
          finish(work, result, store)
          if let transaction = result.transaction { context.notices.note(transaction, of: store) }
          written.append(work)
        }
      }
      try saveMetadata()
    } catch {
      // Objects that another store has deleted already must not be deleted again by a second attempt.
      for object in written.lazy.flatMap(\.deleted) { context.objects.unregister(object) }
      if !written.isEmpty {
        context.reads.advance()
        AutomaticMerging.broadcast(SavedObjects(written), from: context)
      }
      context.changed.removeAll(where: \.isDetached)
      throw error
    }
    context.reads.advance(now: true)
    return SavedObjects(written, told: context.event.toldOfSave)
  }

  /// Writes what was set as metadata of the coordinator's stores.
  private func saveMetadata() throws {
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] { try store.saveMetadata() }
  }

  /// Calls willSave on what will be written; objects that it changes are called again.
  func callWillSave() throws {
    for _ in 0..<1000 {
      var called = false
      var position = 0
      while position < context.changed.endPosition {
        let next = context.changed.at(position)
        position += 1
        guard let object = next, object.hasChanges, !object.state.contains(.saving) else { continue }
        object.state.insert(.saving)
        object.willSave()
        called = true
      }
      context.events.end(isSaving: true)
      // Changes that observers have made meanwhile are saved, too.
      if !called, context.event.entries.isEmpty, context.event.pendingDeletions.isEmpty {
        context.changed.forEachUncounted { $0.state.remove(.saving) }
        return
      }
    }
    stillDirty()
  }

  /// - Parameter written: what attempts have written before they met a conflict in another store.
  private func worksByStore(
    without written: [SaveWork]
  ) throws -> [(store: NSPersistentStore, work: SaveWork)] {
    var works: [(store: NSPersistentStore, work: SaveWork)] = []
    let done = written.isEmpty ? [] : Set(written.lazy.flatMap(\.all).map(ObjectIdentifier.init))
    // Objects that a merge policy has rolled back are not saved.
    context.changed.removeAll { object in
      if object.isPending || done.contains(ObjectIdentifier(object)) { return false }
      object.state.remove(.listed)
      return true
    }
    // New objects of one entity mostly go to the same store; it is not looked up for each.
    let isOneForAll = !context.identityMaps.hasAssignments && !context.nestedKeys.hasHomes
    var lastLayout: EntityLayout?, lastPlace = 0
    // The place of the stored objects of one identity map.
    var lastTable: UnsafeMutableRawPointer?, lastStoredPlace = 0
    var hasDiscarded = false
    for object in context.changed where object.isPending {
      let state = object.state
      if state.contains(.deleted), !state.isDisjoint(with: [.inserted, .inaccessible]) {
        hasDiscarded = true
        continue
      }
      if state.contains(.deleted), done.contains(ObjectIdentifier(object)) { continue }
      let place: Int
      let table = object.tableReference
      if table != nil, table?.toOpaque() == lastTable {
        place = lastStoredPlace
      } else if isOneForAll, lastLayout === object.layout, object.table?.store == nil {
        place = lastPlace
      } else {
        let store = try ChangeRun(in: context).store(for: object)
        place = works.firstIndex { $0.store === store } ?? works.count
        if place == works.count {
          works.append((store, SaveWork(mayHaveRelationships: context.changed.mayHaveRelationships)))
        }
        if object.table?.store == nil {
          (lastLayout, lastPlace) = (object.layout, place)
        } else if !context.identityMaps.hasAssignments {
          (lastTable, lastStoredPlace) = (table?.toOpaque(), place)
        }
      }
      if state.contains(.deleted) {
        works[place].work.deleted.append(object)
      } else if state.contains(.inserted) {
        works[place].work.inserted.append(object)
      } else {
        works[place].work.updated.append(object)
      }
    }
    for place in works.indices { works[place].work.sortByKey() }
    if hasDiscarded { forgetDiscarded() }
    for (store, objects) in guardedObjects {
      if let place = works.firstIndex(where: { $0.store === store }) {
        works[place].work.locked = objects
      } else {
        works.append((store, SaveWork(locked: objects)))
      }
    }
    return works
  }

  /// Unregisters objects that were inserted and deleted again, and faults whose rows were gone. No store has to write
  /// anything for them.
  func forgetDiscarded() {
    for object in context.changed
    where object.state.contains(.deleted) && !object.state.isDisjoint(with: [.inserted, .inaccessible]) {
      context.objects.unregister(object)
    }
    context.changed.removeAll(where: \.isDetached)
  }

  /// An update needs the version of the row that it replaces: rows of objects changed as faults are read in batches, in
  /// the transaction that the context has read in, so that what others have written since is a conflict.
  private func realiseChanged() throws {
    var groups: [RowKind: ContiguousArray<NSManagedObject>] = [:]
    context.changed.forEachUncounted { object in
      guard object.rowReference == nil, object.state.contains(.updated), !object.state.contains(.hasNoRow) else {
        return
      }
      groups[RowKind(object), default: []].append(object)
    }
    for group in groups.values {
      guard let store = group[0].table?.store else { continue }
      let transaction = context.reads.transaction(on: store), shard = store.rows.shard(group[0].layout.rootNumber)
      let unread = group.filter { object in
        guard let row = shard.get(object.key, at: transaction.pinnedCommit), row.fits(object) else { return true }
        object.takeUnread(row)
        return false
      }
      if unread.isEmpty { continue }
      let rows = try store.readRows(
        ContiguousArray(unread.map(\.key)), layout: group[0].layout, transaction: transaction
      ).rows
      let byKey = Dictionary(rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
      for object in unread { if let row = byKey[object.key] { object.takeUnread(row) } }
    }
  }

  /// The objects point to the rows that were written.
  private func finish(_ work: SaveWork, _ result: SaveResult, _ store: NSPersistentStore) {
    KeyExchange(of: context).give(result.insertedKeys, to: work.inserted, in: store)
    if context.retainsRegisteredObjects { context.identityMaps.retain(work.inserted) }
    work.inserted.forEachUncounted { settle($1, result.insertedRows[$0]) }
    work.updated.forEachUncounted { settle($1, result.updatedRows[$0]) }
    // To-many keys are taken over once every new object has its permanent key.
    if work.mayHaveRelationships {
      for object in work.inserted { object.commitMembers(result.commit, store) }
      for object in work.updated { object.commitMembers(result.commit, store) }
    }
    for object in work.deleted { object.table?.remove(Unmanaged.passUnretained(object).toOpaque(), object.key) }
    for row in result.touchedRows { takeTouched(row, store) }
    for former in result.formerOwners { forgetMembers(of: former, store) }
  }

  /// An owner that has lost a member reads its members anew.
  private func forgetMembers(of former: FormerOwner, _ store: NSPersistentStore) {
    let table = context.objects.tables(for: store, model: former.layout.entity.managedObjectModel).table(
      former.layout.rootNumber)
    guard let object = table.object(former.key), let slot = object.layout.slot(named: former.slot.name),
      let state = object.relations?.states[slot.relationIndex] as? ToManyState
    else { return }
    if let arrangement = state.forgetStored() { object.rearrange(arrangement, slot) }
  }

  /// An object whose derived attributes changed because others were saved shows the new values, unless it is a fault.
  private func takeTouched(_ row: Snapshot, _ store: NSPersistentStore) {
    let table = context.objects.tables(for: store, model: row.layout.entity.managedObjectModel).table(
      row.layout.rootNumber)
    guard let object = table.object(row.primaryKey), object.snapshot != nil,
      object.state.isDisjoint(with: [.inserted, .updated, .deleted])
    else { return }
    object.snapshot = row
    if !context.observers.isEmpty { context.event.noteTouched(object) }
  }

  private func settle(_ object: NSManagedObject, _ row: Snapshot) {
    context.identityMaps.forgetAssignment(of: object)
    object.snapshot = row
    object.changes = object.transientValues()
    object.state.subtract([.inserted, .updated, .hasNoRow, .saving, .changedInEvent, .insertedAgain, .putAside])
  }
}
