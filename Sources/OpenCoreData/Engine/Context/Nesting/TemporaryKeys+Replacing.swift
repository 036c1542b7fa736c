import Foundation
import OpenCocoaFoundation

// Rows and members' keys of child contexts name objects that no store has yet by their temporary keys, until these have
// got permanent ones. For such an object the entity is given by its number in the model, for others by its number in the
// store.
extension NSManagedObject {
  /// Replaces temporary keys by permanent ones; gives true if some temporary keys are left.
  final func replaceTemporaryKeys(_ known: [Int64: PermanentKeys.Entry]) -> Bool {
    var isLeft = false
    if let row = snapshot, let (replaced, left) = row.replacingTemporaryKeys(known) {
      snapshot = replaced
      isLeft = left
    }
    guard let relations else { return isLeft }
    for slot in layout.slots where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, let keys = state.keys,
        keys.hasTemporaryKeys
      else { continue }
      let replaced = keys.replacingTemporaryKeys(known, isOrdered: slot.isOrdered, layout.entity.managedObjectModel)
      if replaced.hasTemporaryKeys { isLeft = true }
      state.keys = replaced
    }
    return isLeft
  }
}

extension Snapshot {
  /// Whether a to-one relationship leads to an object with a temporary key.
  var hasTemporaryKeys: Bool {
    layout.slots.contains { $0.kind == .toOne && !$0.isTransient && !isNull($0.index) && int($0.index) < 0 }
  }

  /// The row with permanent keys in place of temporary ones, and whether some are left; nil if the row has no temporary keys.
  func replacingTemporaryKeys(_ known: [Int64: PermanentKeys.Entry]) -> (row: Snapshot, isLeft: Bool)? {
    var values: [(slot: Int, value: Int64)] = []
    var has = false, isLeft = false
    let model = layout.entity.managedObjectModel
    for slot in layout.slots
    where slot.kind == .toOne && !slot.isTransient && !isNull(slot.index) && int(slot.index) < 0 {
      has = true
      guard let entry = known[int(slot.index)] else {
        isLeft = true
        continue
      }
      values.append((slot.index, entry.permanent))
      if slot.entityIndex >= 0, !isNull(slot.entityIndex) {
        let number = model.storedNumber(of: Int(int(slot.entityIndex)), in: entry.store)
        values.append((slot.entityIndex, Int64(number)))
      }
    }
    return has ? (copy(setting: values), isLeft) : nil
  }
}

extension KeyArray {
  func replacingTemporaryKeys(
    _ known: [Int64: PermanentKeys.Entry], isOrdered: Bool, _ model: NSManagedObjectModel
  ) -> KeyArray {
    var pairs = ContiguousArray<(key: Int64, entity: Int32)>()
    pairs.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() {
      let entity = entities.isEmpty ? 0 : entities[index]
      if key < 0, let entry = known[key] {
        let number = entities.isEmpty ? 0 : model.storedNumber(of: Int(entity), in: entry.store)
        pairs.append((entry.permanent, Int32(truncatingIfNeeded: number)))
      } else {
        pairs.append((key, entity))
      }
    }
    if !isOrdered { pairs.sort { $0.key < $1.key } }
    return KeyArray(
      ContiguousArray(pairs.lazy.map(\.key)), isOrdered: isOrdered,
      entities: entities.isEmpty ? [] : ContiguousArray(pairs.lazy.map(\.entity)), commit: commit)
  }
}

extension NSManagedObjectModel {
  /// The number that a store gives to the entity which has that number in the model.
  fileprivate final func storedNumber(of number: Int, in store: NSPersistentStore) -> Int {
    let entities = entitiesInStoreOrder
    return number > 0 && number <= entities.count ? store.number(of: entities[number - 1]) : number
  }
}
