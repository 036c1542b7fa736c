import Foundation
import OpenCocoaFoundation

// The end of a save in any kind of store: what the row cache learns.
extension NSPersistentStore {
  /// Dates the commit, and puts the written rows into the cache.
  func publish(_ work: SaveWork, _ keys: SaveKeys) -> SaveResult {
    let commit = nextCommit()
    var result = SaveResult(commit: commit, insertedKeys: keys.inserted, insertedRows: [], updatedRows: [])
    result.transaction = keys.transaction
    result.formerOwners = keys.formerOwners
    var scratch = SnapshotScratch(slots: 64)
    var roots: ContiguousArray<Int> = []
    func add(_ root: Int) { if !roots.contains(root) { roots.append(root) } }
    var keys = keys
    for rows in keys.derivedRows.values { for row in rows.values { row.date(commit) } }
    result.insertedRows.reserveCapacity(work.inserted.count)
    work.inserted.forEachUncounted { index, object in
      let key = keys.inserted[index]
      let derived = keys.takeRow(key, object.layout.rootNumber)
      result.insertedRows.append(derived ?? row(object, key, commit, keys, &scratch))
      add(object.layout.rootNumber)
    }
    result.updatedRows.reserveCapacity(work.updated.count)
    work.updated.forEachUncounted { _, object in
      let derived = keys.takeRow(object.key, object.layout.rootNumber)
      result.updatedRows.append(
        derived ?? object.rowOfPlainUpdate(commit) ?? row(object, object.key, commit, keys, &scratch))
      add(object.layout.rootNumber)
    }
    for object in work.deleted { add(object.layout.rootNumber) }
    for (root, rows) in keys.derivedRows where !rows.isEmpty {
      result.touchedRows += rows.values
      add(root)
    }
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

  /// A snapshot of what was just written.
  private func row(
    _ object: NSManagedObject, _ key: Int64, _ commit: UInt64, _ keys: SaveKeys, _ scratch: inout SnapshotScratch
  ) -> Snapshot {
    let layout = object.layout
    scratch.begin(slots: layout.slotCount)
    // A new object's own values are all that it has.
    if object.rowReference == nil, object.state.contains(.hasNoRow), let new = object.changesReference {
      new._withUnsafeGuaranteedRef { new in
        for index in layout.plainIndexes { scratch.set(new[index], at: index) }
      }
    } else {
      for place in layout.slots.indices where layout.slots[place].kind.isPlain && !layout.slots[place].isTransient {
        scratch.set(object.currentValue(layout.slots[place]).written, for: layout.slots[place])
      }
    }
    for place in layout.otherPlaces {
      let slot = layout.slots[place]
      let value = object.currentValue(slot).written
      if slot.kind == .toOne, case .object(let member) = value {
        scratch.set(slot.index, int: keys.permanent(member.key))
        if slot.entityIndex >= 0 { scratch.set(slot.entityIndex, int: Int64(number(of: member))) }
      } else if slot.kind == .data || slot.kind == .transformable, let blob = externalBlob(object, slot, value) {
        scratch.set(slot.index, blob)
      } else {
        scratch.set(value, for: slot)
        if value.isNull, slot.allowsExternalFile, object.changedValue(slot, untracked: true) == nil,
          let unread = object.snapshot?.unread(slot.index)
        {
          scratch.set(slot.index, unread)
        }
        if slot.entityIndex >= 0, !value.isNull, let old = object.snapshot, !old.isNull(slot.entityIndex) {
          scratch.set(slot.entityIndex, int: old.int(slot.entityIndex))
        }
      }
    }
    return Snapshot.make(
      primaryKey: key, version: object.nextVersion, layout: layout, commit: commit, scratch: scratch)
  }

  /// The members that the cache knew of every relationship that this save touched are no longer right.
  private func forgetRelations(_ work: SaveWork, _ keys: SaveKeys, _ commit: UInt64) {
    var touched: [RelationID: Set<Int64>] = [:]
    func touch(_ object: NSManagedObject, _ key: Int64, isGone: Bool) {
      let layout = object.layout
      for place in layout.relationshipPlaces {
        let slot = layout.slots[place]
        if slot.kind == .toMany {
          guard let state = object.relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges || isGone
          else {
            if isGone { touched[relationID(object.layout, slot), default: []].insert(key) }
            continue
          }
          touched[relationID(object.layout, slot), default: []].insert(key)
          guard let inverse = slot.inverse, slot.inverseIsToMany else { continue }
          for other in [state.added, state.removed].joined() {
            guard let back = other.layout.slot(inverse) else { continue }
            touched[relationID(other.layout, back), default: []].insert(keys.permanent(other.key))
          }
        } else if let inverse = slot.inverse, slot.inverseIsToMany, let back = slot.destination?.layout.slot(inverse),
          let destination = slot.destination
        {
          let id = relationID(destination.layout, back)
          if case .int(let old) = object.committedValue(slot) { touched[id, default: []].insert(old) }
          if case .object(let new) = object.committedOrChanged(slot) {
            touched[id, default: []].insert(keys.permanent(new.key))
          }
        }
      }
    }
    for former in keys.formerOwners { touched[relationID(former.layout, former.slot), default: []].insert(former.key) }
    for (object, key) in zip(work.inserted, keys.inserted) { touch(object, key, isGone: false) }
    for object in work.updated { touch(object, object.key, isGone: false) }
    for object in work.deleted { touch(object, object.key, isGone: true) }
    for object in work.deleted where object.snapshot == nil {
      // Without the old row the former owner is unknown, so no owner's keys can be corrected.
      for slot in object.layout.slots where slot.kind == .toOne && slot.inverseIsToMany {
        guard let inverse = slot.inverse, let layout = slot.destination?.layout, let back = layout.slot(inverse) else {
          continue
        }
        rows.relation(relationID(layout, back)).invalidate(nil, before: commit)
      }
    }
    for (id, owners) in touched { rows.relation(id).invalidate(Array(owners), before: commit) }
  }
}
