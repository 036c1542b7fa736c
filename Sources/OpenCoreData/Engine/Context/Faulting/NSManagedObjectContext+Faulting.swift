import Foundation
import OpenCocoaFoundation

// Firing faults and turning objects back into them.
extension NSManagedObjectContext {
  /// Gives a fault its values: from the row cache, or with others of its fault batch from the store.
  /// - Parameter key: the property whose reading fires it, if it is a certain one.
  final func fulfill(_ object: NSManagedObject, _ key: _PropertyKey? = nil) {
    do {
      CoreDataInstruments.add(CoreDataInstruments.faults)
      if Watchers.isRecording { object.faultBatch?.touches?.note() }
      if let row = try rowNow(object) { return realise(object, row) }
    } catch {
      if note(failureOf: object, error) { return }
      raise(.internalInconsistency, "CoreData could not fulfill a fault for '\(object.objectID)': \(error)")
    }
    fulfillInaccessible(object, key.flatMap { object.layout.slot($0)?.property })
  }

  /// The object's row, from the contexts above if there are any; nil when there is none.
  final func rowNow(_ object: NSManagedObject) throws -> Snapshot? {
    parentContext == nil ? try storedRow(object) : try rowFromAncestors(object)
  }

  /// The object's row from the cache or the store; nil when there is none.
  final func storedRow(_ object: NSManagedObject) throws -> Snapshot? {
    guard let store = object.table?.store, object.key > 0 else { return nil }
    let transaction = readTransaction(on: store)
    let root = object.layout.rootNumber
    let shard = store.rows.shard(root)
    if stalenessInterval >= 0 { shard.forget(object.key, olderThan: stalenessInterval) }
    if let row = shard.get(object.key, at: transaction.pinnedCommit) ?? transaction.ownRow(object.key, root: root),
      row.fits(object)
    {
      CoreDataInstruments.add(CoreDataInstruments.cacheHits)
      return row
    }
    if let row = company(of: object)?.take(object.key, at: transaction.moment), row.fits(object) { return row }
    guard Watchers.watchContexts else { return try readRow(of: object, store, shard, transaction).row }
    let watch = ContextWatch(.objectFault, object.layout)
    do {
      let (row, count) = try readRow(of: object, store, shard, transaction)
      watch.endFault(object, rows: count)
      return row
    } catch {
      watch.fail()
      throw error
    }
  }

  /// What an object's row is read with.
  @inline(__always)
  private final func company(of object: NSManagedObject) -> FaultBatch? {
    merger.faultBatch(of: object, in: self) ?? object.faultBatch
  }

  /// The object's row from the store, and how many rows were read with it.
  private final func readRow(
    of object: NSManagedObject, _ store: NSPersistentStore, _ shard: RowShard, _ transaction: ReadTransaction
  ) throws -> (row: Snapshot?, count: Int) {
    guard let faultBatch = company(of: object), store.readsInCompany else {
      let rows = try store.readRows([object.key], layout: object.layout, transaction: transaction).rows
      return (rows.first, rows.count)
    }
    let commit = transaction.pinnedCommit, root = object.layout.rootNumber
    let keys = faultBatch.batch(with: object.key, size: faultBatch.size ?? faultBatchSize, transaction) {
      (shard.get($0, at: commit) ?? transaction.ownRow($0, root: root)) != nil
    }
    let (rows, areCached) = try store.readRows(keys, layout: faultBatch.layout, transaction: transaction)
    // Beside another context's save the cache may be ahead of this reader; the fault batch still loads together.
    if !areCached { faultBatch.keep(rows, at: transaction.moment) }
    return (rows.first { $0.primaryKey == object.key && $0.fits(object) }, rows.count)
  }

  /// Points the object to its row and wakes it.
  @inline(__always)
  final func realise(_ object: NSManagedObject, _ row: Snapshot) {
    object.snapshot = row
    object.state.insert(.awakening)
    holdingEvent { object.awakeFromFetch() }
    object.state.remove(.awakening)
  }

  /// The row behind a fault is gone.
  private final func fulfillInaccessible(_ object: NSManagedObject, _ property: NSPropertyDescription?) {
    guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property) else {
      raise(.objectInaccessible, "CoreData could not fulfill a fault for '\(object.objectID)'")
    }
    object.enterEvent()
    object.state.formUnion([.hasNoRow, .inaccessible, .deleted])
    object.changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    list(object)
    changed.noteGone()
  }

  /// Notes that an object could not be read, if failures are collected. The object then counts as one without values.
  private final func note(failureOf object: NSManagedObject, _ error: any Error) -> Bool {
    guard let faultFailures else { return false }
    faultFailures.note(error)
    object.state.formUnion([.hasNoRow, .inaccessible])
    object.changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    return true
  }

  /// Handles a fault whose row is gone, where no subclass does.
  final func handlesInaccessibleFault(_ objectID: NSManagedObjectID) -> Bool {
    if shouldDeleteInaccessibleFaults {
      FrameworkLog.write(
        "warning: the row of the object with ID '\(objectID)' is gone; the object counts as deleted, and all its "
          + "properties are nil or 0.")
    }
    return shouldDeleteInaccessibleFaults
  }

  /// The keys of a to-many relationship's members, from the contexts above, the cache or the store.
  final func relationKeys(of object: NSManagedObject, _ slot: PropertySlot) -> KeyArray {
    do {
      if parentContext != nil, let keys = try keysFromAncestors(of: object, slot) { return keys }
      guard let store = object.table?.store else { return KeyArray.empty }
      let id = store.relationID(object.layout, slot)
      let transaction = readTransaction(on: store)
      if stalenessInterval >= 0 { store.rows.relation(id).forget(object.key, olderThan: stalenessInterval) }
      if let keys = store.rows.relation(id).get(object.key, at: transaction.pinnedCommit) { return keys }
      if let keys = transaction.ownRows?.relation(id).get(object.key, at: .max) { return keys }
      if let keys = object.faultBatch?.keys(of: object.key, slot, at: transaction.moment) { return keys }
      guard Watchers.watchContexts else { return try readKeys(of: object, slot, store, id, transaction).keys }
      let watch = ContextWatch(.relationshipFault, object.layout, slot.property)
      do {
        let (keys, count) = try readKeys(of: object, slot, store, id, transaction)
        watch.endRelationshipFault(object, slot.name, rows: count)
        return keys
      } catch {
        watch.fail()
        throw error
      }
    } catch {
      if let faultFailures {
        faultFailures.note(error)
        return KeyArray.empty
      }
      raise(
        .internalInconsistency,
        "CoreData could not fulfill the relationship fault '\(slot.name)' of '\(object.objectID)': \(error)")
    }
  }

  /// The keys of an object's members from the store, and how many keys were read with them.
  private final func readKeys(
    of object: NSManagedObject, _ slot: PropertySlot, _ store: NSPersistentStore, _ id: RelationID,
    _ transaction: ReadTransaction
  ) throws -> (keys: KeyArray, count: Int) {
    let commit = transaction.pinnedCommit
    if let faultBatch = object.faultBatch, store.readsInCompany, let destination = slot.destination {
      let wantsRows = faultBatch.readAhead(slot).readsRows
      let owners = faultBatch.owners(with: object.key, of: slot, limit: faultBatchSize) {
        (store.rows.relation(id).get($0, at: commit) ?? transaction.ownRows?.relation(id).get($0, at: .max)) != nil
      }
      if owners.count > 1 {
        var found: [Int64: KeyArray] = [:]
        if wantsRows,
          let keys = try store.readMembersWithRows(
            of: owners, slot, layout: object.layout, isEveryOwner: false, readsRowsAgain: true, transaction: transaction
          )
        {
          for (owner, keys) in zip(owners, keys) { found[owner] = keys }
        } else {
          found = try store.readMembers(of: owners, slot, layout: object.layout, transaction: transaction)
        }
        faultBatch.readAhead(slot).note(
          found, at: transaction.moment, layout: destination.layout, origin: slot.property,
          keyLimit: Self.readAheadLimit)
        return (found[object.key] ?? KeyArray.empty, found.values.reduce(0) { $0 + $1.keys.count })
      }
    }
    let keys = try store.readMembers(of: object.key, slot, layout: object.layout, transaction: transaction)
    return (keys, keys.keys.count)
  }

  /// How many members' keys one statement should read at most for owners that may never be asked for theirs.
  private static var readAheadLimit: Int { 4096 }

  // MARK: Refreshing

  final func baseRefresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    checkQueue()
    followLooseMembers()
    if object.state.contains(.hasNoRow) {
      if !flag, object.state.contains(.inserted) { object.state.insert(.putAside) }
      return
    }
    if let store = object.table?.store { letGoOfOldReads(store) }
    if event.isEmpty { beginEvent() }
    event.noteRefresh(of: object)
    holdingEvent { refreshNow(object, mergeChanges: flag) }
    // The delete rules see what others have related meanwhile.
    if flag { propagateAgain(object) }
  }

  private final func refreshNow(_ object: NSManagedObject, mergeChanges flag: Bool) {
    object.tellingAll {
      if !flag { return object.turnIntoFault() }
      var isAwake = false
      if object.snapshot != nil {
        guard let row = try? rowNow(object) else { return }
        // A property that was set to its old value is unchanged, and must not hide the new row's value.
        object.dropUnchangedValues()
        object.dropOutdatedNullifications(row)
        object.snapshot = row
        isAwake = true
      }
      // A fault may have read relationships, too.
      object.forgetUnchangedRelations()
      if isAwake { object.awaken(from: .refresh) }
    }
  }

  final func baseRefreshAllObjects() {
    checkQueue()
    followLooseMembers()
    endReadTransactions()
    var refreshed: Set<NSManagedObject> = []
    // All objects are listed first: an object that becomes a fault releases its members, which are refreshed, too.
    for objects in families.flatMap({ $0.tables.map { $0.all() } }) {
      refreshed.formUnion(objects.lazy.filter { !$0.state.contains(.hasNoRow) })
      var faultBatches: [ObjectIdentifier: FaultBatch] = [:]
      for object in objects where !object.state.contains(.hasNoRow) {
        if object.hasChanges {
          refresh(object, mergeChanges: true)
        } else {
          object.tellingAll { object.turnIntoFault() }
          let layout = object.layout
          let faultBatch =
            faultBatches[ObjectIdentifier(layout)]
            ?? FaultBatch(ContiguousArray(objects.lazy.filter { $0.layout === layout }.map(\.key)), layout: layout)
          faultBatches[ObjectIdentifier(layout)] = faultBatch
          object.faultBatch = faultBatch
        }
      }
    }
    _ = event.takeRefreshed(from: self)
    postObjectsDidChange(ContextChanges(refreshed: refreshed))
  }

  final func baseReset() {
    checkQueue()
    undoRecorder?.clear(self)
    endReadTransactions()
    advanceQueryGeneration()
    let identifiers = families.lazy.flatMap(\.tables).flatMap { $0.all().map(\.objectID) }
    let invalidated = Array(identifiers)
    _ = event.takeRefreshed(from: self)
    forgetEvent()
    changed = ChangedObjects()
    retained = []
    looseMembers = ListedLooseMembers()
    guarded = []
    assignedStores = [:]
    nestedKeys.reset()
    let old = families
    families = []
    holdingEvent { letGo(of: old) }
    tellObservers { $0.contextDidReset() }
    post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: invalidated])
  }

  private final func letGo(of families: [StoreTables]) {
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() {
        object.relations = nil
        object.changes = nil
        object.snapshot = nil
        object.faultBatch = nil
        object.state.subtract([.inserted, .updated, .deleted, .deletionPropagated, .listed, .saving])
      }
      table.detach()
    }
  }

  /// Ends the read transaction if the store has moved on since it began.
  @inline(__always)
  final func letGoOfOldReads(_ store: NSPersistentStore) {
    let transaction = readTransaction(on: store)
    let commit = transaction.pinnedCommit
    if commit == 0, !transaction.isPinned {
      // It reads at an unknown moment, beside a save: the cache cannot be relied on before that is over.
      _ = try? transaction.refresh()
    } else if commit < store.latestCommit {
      transaction.end()
    }
  }
}

extension NSManagedObject {
  /// Drops the values; the next read fires the fault again.
  final func turnIntoFault() {
    guard snapshot != nil || changes != nil || relations != nil else { return }
    // Neither fault nor realised: `faultingState` tells, and what is set now is no change.
    state.insert(.awakening)
    willTurnIntoFault()
    state.remove(.awakening)
    snapshot = nil
    if changes != nil { changes = nil }
    if relations != nil { relations = nil }
    if faultBatch != nil { faultBatch = nil }
    state.subtract([.updated, .changedInEvent, .insertedAgain])
    didTurnIntoFault()
  }

  /// Forgets what was read of relationships, and keeps what was changed.
  final func forgetUnchangedRelations() {
    forgetFetchedProperties()
    guard let relations else { return }
    for slot in layout.slots where slot.kind.isRelationship {
      if slot.kind == .toMany, let state = relations.states[slot.relationIndex] as? ToManyState {
        if let arrangement = state.forgetStored() { rearrange(arrangement, slot) }
      } else if slot.kind == .toOne, changes?.values[slot.index].isUnset ?? true {
        relations.states[slot.relationIndex] = nil
      }
    }
  }
}
