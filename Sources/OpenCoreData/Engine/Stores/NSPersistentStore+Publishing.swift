import Foundation
import OpenCocoaFoundation

// The end of a save in any kind of store: the row cache gets the rows that were written.
extension NSPersistentStore {
  /// Dates the commit, makes the rows that were written, and puts them into the row cache.
  package func publish(_ work: SaveWork, _ keys: SaveKeys) -> SaveResult {
    var writer = RowWriter(self)
    var inserted: ContiguousArray<Snapshot> = [], updated: ContiguousArray<Snapshot> = []
    inserted.reserveCapacity(work.inserted.count)
    work.inserted.forEachUncounted { inserted.append(writer.row($1, key: keys.inserted[$0], keys: keys)) }
    updated.reserveCapacity(work.updated.count)
    work.updated.forEachUncounted {
      updated.append($1.rowOfPlainUpdate(0) ?? writer.row($1, key: $1.key, keys: keys))
    }
    return publish(work, keys, inserted, updated)
  }

  /// Dates the commit, and puts the rows that were written into the row cache.
  package func publish(
    _ work: SaveWork, _ keys: SaveKeys, _ inserted: ContiguousArray<Snapshot>, _ updated: ContiguousArray<Snapshot>
  ) -> SaveResult { publish(work, keys, inserted, updated, at: nextCommit()) }

  /// Publishes a commit that already has its number.
  package func publish(
    _ work: SaveWork, _ keys: SaveKeys, _ inserted: ContiguousArray<Snapshot>, _ updated: ContiguousArray<Snapshot>,
    at commit: UInt64
  ) -> SaveResult {
    var result = SaveResult(commit: commit, insertedKeys: keys.inserted, insertedRows: inserted, updatedRows: updated)
    result.transaction = keys.transaction
    result.formerOwners = keys.formerOwners
    var roots: ContiguousArray<Int> = []
    func add(_ root: Int) { if !roots.contains(root) { roots.append(root) } }
    func date(_ rows: ContiguousArray<Snapshot>) {
      rows.forEachUncounted {
        $1.date(commit)
        add($1.layout.rootNumber)
      }
    }
    date(inserted)
    date(updated)
    for object in work.deleted { add(object.layout.rootNumber) }
    if !keys.derivedRows.isEmpty { takeDerivedRows(keys, &result) { add($0) } }
    for root in roots {
      rows.invalidate(rootNumber: root, before: commit, all: false)
      let shard = rows.shard(root)
      if !work.deleted.isEmpty { shard.remove(work.deleted.filter { $0.layout.rootNumber == root }.map(\.key)) }
      func put(_ new: ContiguousArray<Snapshot>) {
        if !new.isEmpty { shard.put(roots.count == 1 ? new : new.filter { $0.layout.rootNumber == root }) }
      }
      put(result.insertedRows)
      put(result.updatedRows)
      put(result.touchedRows)
    }
    if work.mayHaveRelationships { forgetRelations(work, keys, commit) }
    return result
  }

  /// Returns the result of a save without putting its rows into the row cache, because the cache may have newer rows.
  package func publishUncached(
    _ keys: SaveKeys, _ inserted: ContiguousArray<Snapshot>, _ updated: ContiguousArray<Snapshot>
  ) -> SaveResult {
    var result = SaveResult(commit: 0, insertedKeys: keys.inserted, insertedRows: inserted, updatedRows: updated)
    result.transaction = keys.transaction
    result.formerOwners = keys.formerOwners
    takeDerivedRows(keys, &result) { _ in }
    return result
  }

  /// Puts rows that were read again in place of the planned rows. The other rows of `derivedRows`, which triggers have
  /// changed, become touched rows.
  private func takeDerivedRows(_ keys: SaveKeys, _ result: inout SaveResult, _ add: (Int) -> Void) {
    var keys = keys
    for rows in keys.derivedRows.values { for row in rows.values { row.date(result.commit) } }
    func exchange(_ rows: inout ContiguousArray<Snapshot>) {
      for index in rows.indices {
        if let row = keys.takeRow(rows[index].primaryKey, rows[index].layout.rootNumber) { rows[index] = row }
      }
    }
    exchange(&result.insertedRows)
    exchange(&result.updatedRows)
    for (root, rows) in keys.derivedRows where !rows.isEmpty {
      result.touchedRows += rows.values
      add(root)
    }
  }

  /// Removes from the row cache the members of every relationship that this save changed.
  private func forgetRelations(_ work: SaveWork, _ keys: SaveKeys, _ commit: UInt64) {
    var touched: [RelationID: Set<Int64>] = [:]
    var goneMembers: [RelationID: Set<Int64>] = [:]
    func touch(_ object: NSManagedObject, _ key: Int64, isGone: Bool) {
      let layout = object.layout
      for place in layout.relationshipPlaces {
        let slot = layout.slots[place]
        if slot.kind == .toMany {
          if isGone, let inverse = slot.inverse, slot.inverseIsToMany, let other = slot.destination?.layout,
            let back = other.slot(inverse)
          {
            goneMembers[relationID(other, back), default: []].insert(key)
          }
          guard let state = object.relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges || isGone
          else {
            if isGone { touched[relationID(object.layout, slot), default: []].insert(key) }
            continue
          }
          touched[relationID(object.layout, slot), default: []].insert(key)
          if slot.hasFurtherEnds {
            // Other lists that are stored in the same column have the same order.
            for list in slot.relationship.otherEnd?.ends?.lists ?? [] {
              guard let other = layout.slot(named: list.name) else { continue }
              touched[relationID(layout, other), default: []].insert(key)
            }
          }
          guard let inverse = slot.inverse, slot.inverseIsToMany else { continue }
          for other in [state.added, state.removed].joined() {
            guard let back = other.layout.slot(inverse) else { continue }
            touched[relationID(other.layout, back), default: []].insert(keys.permanent(other.key))
          }
        } else if slot.inverseIsToMany || slot.hasFurtherEnds, let destination = slot.destination {
          for back in slot.lists.compactMap({ destination.layout.slot($0) }) {
            touchOwners(relationID(destination.layout, back), object, slot)
          }
        }
      }
    }
    func touchOwners(_ id: RelationID, _ object: NSManagedObject, _ slot: PropertySlot) {
      if case .int(let old) = object.committedValue(slot) { touched[id, default: []].insert(old) }
      if case .object(let new) = object.committedOrChanged(slot) {
        touched[id, default: []].insert(keys.permanent(new.key))
      }
    }
    for former in keys.formerOwners { touched[relationID(former.layout, former.slot), default: []].insert(former.key) }
    for (object, key) in zip(work.inserted, keys.inserted) { touch(object, key, isGone: false) }
    for object in work.updated { touch(object, object.key, isGone: false) }
    for object in work.deleted { touch(object, object.key, isGone: true) }
    for object in work.deleted where object.snapshot == nil {
      // Without the old row the former owner is unknown, so the cached members of all owners are dropped.
      for slot in object.layout.slots where slot.kind == .toOne && (slot.inverseIsToMany || slot.hasFurtherEnds) {
        guard let layout = slot.destination?.layout else { continue }
        for back in slot.lists.compactMap({ layout.slot($0) }) {
          rows.relation(relationID(layout, back)).invalidate(nil, before: commit)
        }
      }
    }
    for (id, owners) in touched { rows.relation(id).invalidate(Array(owners), before: commit) }
    // What the context knew of the owners of a deleted object may be old: others may have added it since.
    for (id, members) in goneMembers { rows.relation(id).invalidate(having: members, before: commit) }
  }
}
