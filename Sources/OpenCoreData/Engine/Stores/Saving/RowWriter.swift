import OpenCocoaFoundation

/// Makes the rows that a save writes, one after the other.
package struct RowWriter: ~Copyable {
  private let store: NSPersistentStore
  private var scratch = SnapshotScratch(slots: 64)

  package init(_ store: NSPersistentStore) { self.store = store }

  /// Makes the row of an object as a save writes it. References to new objects are temporary keys if `keys` has no others.
  package mutating func row(_ object: NSManagedObject, key: Int64, commit: UInt64 = 0, keys: SaveKeys? = nil)
    -> Snapshot
  {
    let layout = object.layout
    scratch.begin(slots: layout.slotCount)
    // A new object has no other values than those in `changesReference`.
    if object.rowReference == nil, object.state.contains(.hasNoRow), let new = object.changesReference {
      new.read { new in
        for index in layout.plainIndexes { scratch.set(new[index], at: index) }
      }
    } else {
      for place in layout.slots.indices where layout.slots[place].kind.isPlain && !layout.slots[place].isTransient {
        scratch.set(object.currentValue(layout.slots[place]).written, for: layout.slots[place])
      }
    }
    for place in layout.otherPlaces { set(object, layout.slots[place], keys) }
    return Snapshot.make(
      primaryKey: key, version: object.nextVersion, layout: layout, commit: commit, scratch: scratch)
  }

  /// Sets the slot of a relationship, or of a value that may be in a file.
  private mutating func set(_ object: NSManagedObject, _ slot: PropertySlot, _ keys: SaveKeys?) {
    let value = object.currentValue(slot).written
    if slot.kind == .toOne, case .object(let member) = value {
      scratch.set(slot.index, int: keys?.permanent(member.key) ?? member.key)
      if slot.entityIndex >= 0 { scratch.set(slot.entityIndex, int: Int64(store.number(of: member))) }
    } else if slot.kind == .data || slot.kind == .transformable, let blob = largeValue(object, slot, value) {
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

  /// Returns, without a copy, a value that is or will be in a file: mapped from the file, or the data that were set, until
  /// the store has written the file. Nil for a value that is in the row.
  private func largeValue(_ object: NSManagedObject, _ slot: PropertySlot, _ value: StoredValue) -> SnapshotBlob? {
    guard slot.allowsExternalFile, case .data(let data) = value, data.count > Snapshot.inlineLimit,
      store.can(.externalStorage)
    else { return nil }
    guard let row = object.snapshot, !row.isNull(slot.index), object.changedValue(slot, untracked: true) == nil else {
      return data.count > ExternalReference.threshold ? SnapshotBlob(data: data, cost: data.count) : nil
    }
    return row.blob(slot.index)
  }
}
