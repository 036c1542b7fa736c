import Foundation
import OpenCocoaFoundation

// Packs the state of an object into rows and keys that child contexts read. Members are named by their keys, which may be
// temporary; commit 0 says that no store has such a row.
extension NSManagedObject {
  /// The object's values as a row; the store's own row if nothing was set since.
  final func packedRow(_ scratch: inout SnapshotScratch) -> Snapshot {
    // An object of which only members have changed is updated, too: a save will give its row another version, which must
    // not be a conflict for the child.
    if changes == nil, let snapshot, !state.contains(.updated) { return snapshot }
    let home = table?.context.flatMap { KeyExchange(of: $0).homeStore(of: self) }
    scratch.begin(slots: layout.slotCount)
    for slot in layout.slots where slot.kind != .toMany && slot.kind != .composite && !slot.isTransient {
      let value = currentValue(slot)
      switch (slot.kind, value) {
      case (.toOne, .object(let member)): pack(member, slot, home, &scratch)
      case (.toOne, .int(let key)):
        scratch.set(slot.index, int: key)
        if slot.entityIndex >= 0, let snapshot, !snapshot.isNull(slot.entityIndex) {
          scratch.set(slot.entityIndex, int: snapshot.int(slot.entityIndex))
        }
      case (.transformable, .transformed(let value)): pack(value, slot, &scratch)
      case (_, .data(let data)):
        // Values that the row keeps out of line are taken as they are, mapped files included.
        let isUnset = changes?.values[slot.index].isUnset ?? true
        let blob = isUnset ? snapshot?.blob(slot.index) : nil
        scratch.set(slot.index, blob ?? SnapshotBlob(data: data, cost: data.count))
      case (_, .null) where slot.allowsExternalFile:
        let isUnset = changes?.values[slot.index].isUnset ?? true
        if isUnset, let unread = snapshot?.unread(slot.index) { scratch.set(slot.index, unread) }
      default: scratch.set(value, for: slot)
      }
    }
    return Snapshot.make(
      primaryKey: key, version: snapshot?.version ?? 0, layout: layout, commit: 0, scratch: scratch)
  }

  private final func pack(
    _ member: NSManagedObject, _ slot: PropertySlot, _ home: NSPersistentStore?, _ scratch: inout SnapshotScratch
  ) {
    guard isPackable(member, home) else { return }
    scratch.set(slot.index, int: member.key)
    if slot.entityIndex >= 0 { scratch.set(slot.entityIndex, int: Int64(member.packedEntityNumber)) }
  }

  private final func pack(_ value: TransformedValue, _ slot: PropertySlot, _ scratch: inout SnapshotScratch) {
    guard let object = value.object,
      let bytes = value.bytes ?? (try? slot.attribute.transformedBytes(of: object))
    else { return }
    scratch.set(slot.index, SnapshotBlob(data: bytes, cost: bytes.count))
  }

  /// Whether a row or key array can name the member. It cannot name a member in another store, which no save would write.
  private final func isPackable(_ member: NSManagedObject, _ home: NSPersistentStore?) -> Bool {
    !member.isDetached && (member.key < 0 || member.table?.store === home)
  }

  /// The number of the object's entity: the store's number if the object has a permanent key, else the model's.
  final var packedEntityNumber: Int {
    key > 0 ? table?.store?.number(of: layout.entity) ?? layout.number : layout.number
  }

  /// The present keys of a to-many relationship's members in this context.
  final func packedKeys(_ slot: PropertySlot, _ state: ToManyState) -> KeyArray {
    let home = table?.context.flatMap { KeyExchange(of: $0).homeStore(of: self) }
    let hasEntities = slot.destination?.subentities.isEmpty == false
    func isMember(_ object: NSManagedObject) -> Bool {
      !object.state.contains(.deleted) && isPackable(object, home)
    }
    if slot.isOrdered {
      let members = members(slot).filter(isMember)
      return KeyArray(
        ContiguousArray(members.lazy.map(\.key)), isOrdered: true,
        entities: hasEntities
          ? ContiguousArray(members.lazy.map { Int32(truncatingIfNeeded: $0.packedEntityNumber) }) : [],
        commit: 0)
    }
    // No objects are made of the members that were not changed.
    let stored = storedKeys(slot, state) ?? KeyArray.empty
    return stored.merged(
      adding: state.added.filter(isMember), removing: Set(state.removed.lazy.map(\.key)), 0,
      hasEntities ? { $0.packedEntityNumber } : nil)
  }
}
