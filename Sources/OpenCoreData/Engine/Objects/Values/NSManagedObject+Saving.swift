import Foundation
import OpenCocoaFoundation

// The part of a save that concerns each object: its values to write, and what changes in it after the commit.
extension NSManagedObject {
  /// Takes the row that was not read when the object was changed. Members that were read before this row may be members
  /// of other objects by now.
  final func takeUnread(_ row: Snapshot) {
    snapshot = row
    guard let relations else { return }
    let isOutdated = layout.slots.contains { slot in
      guard slot.kind == .toMany, let state = relations.states[slot.relationIndex] as? ToManyState else { return false }
      return state.keys.map { $0.commit < row.commit } ?? false
    }
    if isOutdated { forgetUnchangedRelations() }
  }

  /// The changed values that remain after a save: those of transient properties.
  final func transientValues() -> ChangedValues? {
    guard layout.valueCount > layout.slotCount, let changes else { return nil }
    let values = changes.values
    guard (layout.slotCount..<layout.valueCount).contains(where: { !values[$0].isNull && !values[$0].isUnset }) else {
      return nil
    }
    var kept = ContiguousArray(repeating: StoredValue.unset, count: layout.valueCount)
    for index in layout.slotCount..<layout.valueCount { kept[index] = values[index] }
    return ChangedValues.make(kept)
  }

  /// Makes added and removed members of the to-many relationships stored ones, after the commit.
  final func commitMembers(_ commit: UInt64, _ store: NSPersistentStore) {
    guard let relations else { return }
    for slot in layout.slots where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState else { continue }
      let hasEntities = slot.destination?.subentities.isEmpty == false
      state.commit(at: commit, number: hasEntities ? { store.number(of: $0) } : nil)
    }
  }
}
