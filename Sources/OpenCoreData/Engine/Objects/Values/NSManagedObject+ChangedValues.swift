import Foundation
import OpenCocoaFoundation

// The changed values of an object, and the committed ones.
extension NSManagedObject {
  /// The persistent properties that differ from the last fetched or saved ones, with their new values, nil as NSNull;
  /// of an object that was never saved those that differ from the entity's default values (D-OBJ-11).
  ///
  /// For change logs and for `willSave()`, which so sees what a save is about to write. Relationships that have not
  /// been changed are not read; of changed ones the stored members are, to tell whether there is a difference.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating = 5
  /// entry.words = entry.words  // no difference
  /// print(entry.changedValues() as? [String: Int] ?? [:])  // ["rating": 5]
  /// print(entry.committedValues(forKeys: ["rating"]) as? [String: Int] ?? [:])  // ["rating": 3]
  /// ```
  ///
  /// See also ``committedValues(forKeys:)``, ``changedValuesForCurrentEvent()``, ``hasPersistentChangedValues``.
  public final func changedValues() -> [String: Any] {
    checkQueue()
    return currentValues { differsFromRow($0) }
  }

  /// Whether some persistent property differs from its last saved value. An object may count as updated without that,
  /// because it was set to equal values, or because of a transient property: then its row is written with a new version
  /// and nothing else (D-OBJ-10), which a save can be spared.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.title = "Monday"
  /// print(entry.hasChanges, entry.hasPersistentChangedValues)  // true false
  /// if !entry.hasPersistentChangedValues { context.refresh(entry, mergeChanges: false) }
  /// print(context.hasChanges)  // false
  /// ```
  ///
  /// See also ``changedValues()``.
  public final var hasPersistentChangedValues: Bool {
    checkQueue()
    let slots = layout.slots.lazy.filter { !$0.isTransient }
    if changes != nil, slots.contains(where: { $0.kind != .toMany && $0.kind != .composite && self.differsFromRow($0) })
    {
      return true
    }
    guard let relations else { return false }
    // Relationships whose members have been read come first, since they need no statement.
    let toManys = slots.filter { $0.kind == .toMany }.sorted { first, second in
      let isRead = (relations.states[first.relationIndex] as? ToManyState)?.keys != nil
      return isRead && (relations.states[second.relationIndex] as? ToManyState)?.keys == nil
    }
    return toManys.contains { differsFromRow($0) }
  }

  /// The current values of the persistent properties for which `differs` is true.
  final func currentValues(where differs: (PropertySlot) -> Bool) -> [String: Any] {
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      switch slot.kind {
      case .toMany:
        if differs(slot) { result[slot.name] = slot.isOrdered ? orderedMembers(slot) : untypedMembers(slot) }
      case .composite:
        if leaves(of: slot).contains(where: differs) { result[slot.name] = attributeValue(slot) ?? NSNull() }
      case .toOne:
        if differs(slot) { result[slot.name] = toOne(slot) ?? NSNull() }
      default:
        if differs(slot) { result[slot.name] = boxed(committedOrChanged(slot), slot) ?? NSNull() }
      }
    }
    return result
  }

  private final func differsFromRow(_ slot: PropertySlot) -> Bool {
    if slot.kind == .toMany { return membersDiffer(slot) }
    if snapshot != nil { return changedValue(slot) != nil }
    guard let changes, !state.contains(.inaccessible), !changes.untracked.contains(slot.index) else { return false }
    let value = changes.values[slot.index]
    return !value.isUnset && !value.isSame(as: layout.defaults[slot.index])
  }

  /// Whether the members of a to-many relationship differ from the stored ones, which are read if something was changed.
  private final func membersDiffer(_ slot: PropertySlot) -> Bool {
    guard let state = relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges else { return false }
    let keys = storedKeys(slot, state) ?? KeyArray.empty
    // Objects that were added before the stored members were known may be stored members already, and removed ones may
    // be none.
    return state.added.contains { !keys.contains($0.key) } || state.removed.contains { keys.contains($0.key) }
      || slot.isOrdered && isReordered(slot)
  }

  /// The value of a slot if it was set and differs from the row's.
  ///
  /// - Parameter untracked: whether values count that were set through primitive accessors alone: a save writes them if
  ///   the object is saved for another reason, but by themselves they are no change.
  final func changedValue(_ slot: PropertySlot, untracked: Bool = false) -> StoredValue? {
    guard let changes, !changes.values[slot.index].isUnset, untracked || !changes.untracked.contains(slot.index) else {
      return nil
    }
    let value = changes.values[slot.index]
    if snapshot == nil { return value.isNull ? nil : value }
    let committed = committedValue(slot)
    if case .transformed(let new) = value { return isUnchanged(new, committed, slot) ? nil : value }
    if case .object(let object) = value, case .int(let key) = committed { return object.key == key ? nil : value }
    return value.isSame(as: committed) ? nil : value
  }

  /// The values as they were last fetched or saved, whatever was set since; nil as NSNull. Fires the fault. Empty for
  /// an object that was never saved.
  /// - Parameter keys: the properties wanted; nil for all but the to-many relationships that have not been read.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    checkQueue()
    guard let row = realised else { return [:] }
    var result: [String: Any] = [:]
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      if let keys, !keys.contains(slot.name) { continue }
      switch slot.kind {
      case .toMany:
        let isRead = (relations?.states[slot.relationIndex] as? ToManyState)?.keys != nil
        guard keys != nil || isRead else { continue }
        let members = Array(storedMembers(slot))
        result[slot.name] = slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
      case .toOne: result[slot.name] = storedMember(slot, row) ?? NSNull()
      case .composite:
        result[slot.name] = composite(slot) { boxed(StoredValue.read($0, from: row), $0) } ?? NSNull()
      default: result[slot.name] = boxed(StoredValue.read(slot, from: row), slot) ?? NSNull()
      }
    }
    return result
  }

  /// Whether a relationship has not been read yet, or leads to one fault; fires none. A key that is no relationship's
  /// stops the program.
  public final func hasFault(forRelationshipNamed key: String) -> Bool {
    checkQueue(key)
    guard let slot = layout.slot(named: key), slot.kind.isRelationship else { undefinedKey(key) }
    if slot.kind == .toOne {
      if isFault { return true }
      if table?.context == nil, relations?.states[slot.relationIndex] == nil { return !committedOrChanged(slot).isNull }
      return toOne(slot)?.isFault ?? false
    }
    guard let members = relations?.states[slot.relationIndex] as? ToManyState else { return !state.contains(.hasNoRow) }
    return members.keys == nil && members.members == nil
  }
}
