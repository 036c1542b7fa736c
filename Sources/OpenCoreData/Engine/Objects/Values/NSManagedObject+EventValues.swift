import Foundation
import OpenCocoaFoundation

// The values of an object when the current event began.
extension NSManagedObject {
  /// The values from before the current event of those persistent properties that it has changed, nil as NSNull; of a new
  /// object the default values. Nothing once the event has ended.
  ///
  /// An event ends when the context posts `NSManagedObjectContextObjectsDidChange`. While that is being posted, the values
  /// are those from before the event that the notification tells of. `changedValues()` has the new values.
  public final func changedValuesForCurrentEvent() -> [String: Any] {
    checkQueue()
    guard let entry = table?.context?.event.entry(of: self) else { return [:] }
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      switch slot.kind {
      case .toMany:
        guard membersDiffer(slot, from: entry.image) else { continue }
        let members = Array(self.members(slot, before: entry))
        result[slot.name] = slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
      case .composite:
        guard leaves(of: slot).contains(where: { valueDiffers($0, from: entry) }) else { continue }
        result[slot.name] = composite(slot) { boxed(value($0, before: entry), $0) } ?? NSNull()
      case .toOne:
        if valueDiffers(slot, from: entry) { result[slot.name] = member(slot, before: entry) ?? NSNull() }
      default:
        if valueDiffers(slot, from: entry) { result[slot.name] = boxed(value(slot, before: entry), slot) ?? NSNull() }
      }
    }
    return result
  }

  // MARK: What there was

  private final func value(_ slot: PropertySlot, before entry: ContextEvent.Entry) -> StoredValue {
    let own = ownValue(slot, before: entry)
    if !own.isUnset { return own }
    return snapshot == nil ? layout.defaults[slot.index] : committedValue(slot)
  }

  /// The value that the object itself held before the event; unset where only its row had one.
  private final func ownValue(_ slot: PropertySlot, before entry: ContextEvent.Entry) -> StoredValue {
    if entry.image?.untracked.contains(slot.index) == true { return .unset }
    return entry.image?.values?[slot.index] ?? .unset
  }

  private final func member(_ slot: PropertySlot, before entry: ContextEvent.Entry) -> NSManagedObject? {
    let own = ownValue(slot, before: entry)
    if case .object(let object) = own { return object }
    return own.isUnset ? snapshot.flatMap { storedMember(slot, $0) } : nil
  }

  private final func members(
    _ slot: PropertySlot, before entry: ContextEvent.Entry
  ) -> ContiguousArray<NSManagedObject> {
    let stored = storedMembers(slot)
    guard let old = entry.image?.toMany(slot) else { return stored }
    if let members = old.members { return members }
    let kept = stored.filter { !old.removed.contains($0) && !old.added.contains($0) }
    return ContiguousArray(kept + old.added.sorted { $0.key < $1.key })
  }

  // MARK: What differs

  private final func valueDiffers(_ slot: PropertySlot, from entry: ContextEvent.Entry) -> Bool {
    if changes?.untracked.contains(slot.index) == true { return false }
    return !isSame(committedOrChanged(slot), as: value(slot, before: entry), slot)
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
    let old = image?.toMany(slot)
    guard let state else { return old != nil }
    let added = old?.added ?? [], removed = old?.removed ?? []
    guard slot.isOrdered else {
      // An object that was added before the stored members were known may be one of them.
      let isStored = { (object: NSManagedObject) in state.keys?.contains(object.key) == true }
      return state.added.symmetricDifference(added).contains { !isStored($0) } || state.removed != removed
    }
    if state.added != added || state.removed != removed { return true }
    guard let members = old?.members else { return isReordered(slot) }
    return !self.members(slot).elementsEqual(members, by: ===)
  }
}
