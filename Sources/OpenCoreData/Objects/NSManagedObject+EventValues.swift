import Foundation
import OpenCocoaFoundation

// What differs from the values that an object had when the current event began.
extension NSManagedObject {
  /// The persistent properties that have changed since the context last posted `NSManagedObjectContextObjectsDidChange`,
  /// with their new values, nil as NSNull. While that is being posted: those that the event has changed which it tells of.
  public final func changedValuesForCurrentEvent() -> [String: Any] {
    checkQueue()
    guard let entry = table?.context?.event.entry(of: self) else { return [:] }
    return currentValues { slot in
      slot.kind == .toMany ? membersDiffer(slot, from: entry.image) : valueDiffers(slot, from: entry)
    }
  }

  private final func valueDiffers(_ slot: PropertySlot, from entry: ContextEvent.Entry) -> Bool {
    let new = committedOrChanged(slot)
    if changes?.untracked.contains(slot.index) == true { return false }
    var old = entry.image?.values?[slot.index] ?? .unset
    if entry.image?.untracked.contains(slot.index) == true { old = .unset }
    if old.isUnset { old = snapshot == nil ? layout.defaults[slot.index] : committedValue(slot) }
    return !isSame(new, as: old, slot)
  }

  private final func isSame(_ new: StoredValue, as old: StoredValue, _ slot: PropertySlot) -> Bool {
    switch (new, old) {
    case (.object(let object), .int(let key)), (.int(let key), .object(let object)): return object.key == key
    case (.transformed(let value), .data): return isUnchanged(value, old, slot)
    default: return new.isSame(as: old)
    }
  }

  private final func membersDiffer(_ slot: PropertySlot, from image: ObjectImage?) -> Bool {
    let state = relations?.states[slot.relationIndex] as? ToManyState
    let old = image?.toManys.first { $0.relationIndex == slot.relationIndex }
    guard let state else { return old != nil }
    let added = old?.added ?? [], removed = old?.removed ?? []
    guard slot.isOrdered else {
      // What was added before the stored members were known may be one of them.
      let isStored = { (object: NSManagedObject) in state.keys?.contains(object.key) == true }
      return state.added.symmetricDifference(added).contains { !isStored($0) } || state.removed != removed
    }
    if state.added != added || state.removed != removed { return true }
    guard let members = old?.members else { return isReordered(slot) }
    return !self.members(slot).elementsEqual(members, by: ===)
  }
}
