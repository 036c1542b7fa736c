import OpenCocoaFoundation
import Foundation

// Ordered to-many relationships behind generated accessors.
//
// Differs from Apple: the members' order is not kept yet. They stand in the order of their rows, new ones after them in
// the order in which they were made; positions are those of that order.

extension NSManagedObject {
  /// The members of an ordered to-many relationship, which are kept until the relationship changes.
  public final func _managedValue(_ key: PropertyKey) -> NSOrderedSet? { orderedMembers(toManySlot(key)) }

  /// The members of an ordered to-many relationship that the class declares without optional.
  public final func _managedValue(_ key: PropertyKey) -> NSOrderedSet { orderedMembers(toManySlot(key)) }

  /// Replaces the members of an ordered to-many relationship; nil removes all.
  public final func _setManagedValue(_ value: NSOrderedSet?, _ key: PropertyKey) { setToMany(value, toManySlot(key)) }

  /// Adds members: `addTo<Relationship>(_:)`.
  public final func _managedAdd(_ values: NSOrderedSet, _ key: PropertyKey) {
    let slot = toManySlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { addMember(object, slot) }
  }

  /// Removes members: `removeFrom<Relationship>(_:)`.
  public final func _managedRemove(_ values: NSOrderedSet, _ key: PropertyKey) {
    let slot = toManySlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { removeMember(object, slot) }
  }

  /// Adds a member: `insertInto<Relationship>(_:at:)`. A position beyond the end stops the program.
  public final func _managedInsert(_ value: NSManagedObject, at index: Int, _ key: PropertyKey) {
    let slot = toManySlot(key)
    check(index, below: orderedMembers(slot).count + 1, slot)
    addMember(value, slot)
  }

  /// Adds members: `insertInto<Relationship>(_:at:)`. A position beyond the end stops the program.
  public final func _managedInsert<Member: NSManagedObject>(
    _ values: [Member], at indexes: NSIndexSet, _ key: PropertyKey
  ) {
    let slot = toManySlot(key)
    checkCount(values.count, indexes, slot)
    if indexes.count > 0 { check(indexes.lastIndex, below: orderedMembers(slot).count + values.count, slot) }
    for value in values { addMember(value, slot) }
  }

  /// Removes the member at a position: `removeFrom<Relationship>(at:)`. A position beyond the end stops the program.
  public final func _managedRemove(at index: Int, _ key: PropertyKey) {
    let slot = toManySlot(key)
    removeMember(orderedMember(at: index, slot), slot)
  }

  /// Removes the members at positions: `removeFrom<Relationship>(at:)`. A position beyond the end stops the program.
  public final func _managedRemove(at indexes: NSIndexSet, _ key: PropertyKey) {
    let slot = toManySlot(key)
    for object in indexes.map({ orderedMember(at: $0, slot) }) { removeMember(object, slot) }
  }

  /// Replaces the member at a position: `replace<Relationship>(at:with:)`. A position beyond the end stops the program.
  public final func _managedReplace(at index: Int, with value: NSManagedObject, _ key: PropertyKey) {
    let slot = toManySlot(key)
    let old = orderedMember(at: index, slot)
    guard old !== value else { return }
    removeMember(old, slot)
    addMember(value, slot)
  }

  /// Replaces the members at positions: `replace<Relationship>(at:with:)`. A position beyond the end stops the program.
  public final func _managedReplace<Member: NSManagedObject>(
    at indexes: NSIndexSet, with values: [Member], _ key: PropertyKey
  ) {
    let slot = toManySlot(key)
    checkCount(values.count, indexes, slot)
    let new = Set<NSManagedObject>(values)
    for old in indexes.map({ orderedMember(at: $0, slot) }) where !new.contains(old) { removeMember(old, slot) }
    for value in values { addMember(value, slot) }
  }

  private final func orderedMembers(_ slot: PropertySlot) -> NSOrderedSet {
    let state = toManyState(slot.relationIndex)
    if let set = state.typed as? NSOrderedSet { return set }
    let members = members(slot).sorted { left, right in
      // Temporary keys count down from -1, and come after the permanent ones.
      (left.key > 0) == (right.key > 0) ? abs(left.key) < abs(right.key) : left.key > 0
    }
    let set = NSOrderedSet(array: members)
    state.typed = set
    return set
  }

  private final func orderedMember(at index: Int, _ slot: PropertySlot) -> NSManagedObject {
    let members = orderedMembers(slot)
    check(index, below: members.count, slot)
    guard let member = members.object(at: index) as? NSManagedObject else {
      raise(.internalInconsistency, "The relationship \"\(slot.name)\" has a member that is no managed object.")
    }
    return member
  }

  private final func check(_ index: Int, below count: Int, _ slot: PropertySlot) {
    guard index < 0 || index >= count else { return }
    raise(
      .range,
      "The position \(index) is beyond the members of the relationship \"\(slot.name)\" of entity \(layout.name).")
  }

  private final func checkCount(_ count: Int, _ indexes: NSIndexSet, _ slot: PropertySlot) {
    guard count != indexes.count else { return }
    raise(
      .invalidArgument,
      "\(count) objects for \(indexes.count) positions in the relationship \"\(slot.name)\" of entity \(layout.name).")
  }
}
