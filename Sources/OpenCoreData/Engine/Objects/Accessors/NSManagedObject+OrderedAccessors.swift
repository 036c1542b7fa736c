import Foundation
import OpenCocoaFoundation

// Ordered to-many relationships behind generated accessors.
extension NSManagedObject {
  /// The members of an ordered to-many relationship, which are kept until the relationship changes.
  public final func _managedValue(_ key: _PropertyKey) -> NSOrderedSet? { orderedMembers(firing(toManySlot(key))) }

  /// The members of an ordered to-many relationship that the class declares without optional.
  public final func _managedValue(_ key: _PropertyKey) -> NSOrderedSet { orderedMembers(firing(toManySlot(key))) }

  /// A live ordered set of the members of an ordered to-many relationship, as `mutableOrderedSetValue(forKey:)` gives.
  @_disfavoredOverload
  public final func _managedValue(_ key: _PropertyKey) -> NSMutableOrderedSet? {
    mutableMembers(firing(orderedSlot(key)))
  }

  /// The same live ordered set for a class that declares the property without optional.
  @_disfavoredOverload
  public final func _managedValue(_ key: _PropertyKey, _: Void = ()) -> NSMutableOrderedSet {
    mutableMembers(firing(orderedSlot(key)))
  }

  /// Replaces the members of an ordered to-many relationship; nil removes all.
  public final func _setManagedValue(_ value: NSOrderedSet?, _ key: _PropertyKey) { setToMany(value, toManySlot(key)) }

  /// Adds members at the end: `addTo<Relationship>(_:)`.
  public final func _managedAdd(_ values: NSOrderedSet, _ key: _PropertyKey) {
    let slot = toManySlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { addMember(object, slot) }
  }

  /// Removes members: `removeFrom<Relationship>(_:)`.
  public final func _managedRemove(_ values: NSOrderedSet, _ key: _PropertyKey) {
    let slot = toManySlot(key)
    for object in Self.collection(values, slot, entity: layout.name) { removeMember(object, slot) }
  }

  /// Adds a member: `insertInto<Relationship>(_:at:)`. A position beyond the end stops the program.
  public final func _managedInsert(_ value: NSManagedObject, at index: Int, _ key: _PropertyKey) {
    insertMember(value, at: index, orderedSlot(key))
  }

  /// Adds members: `insertInto<Relationship>(_:at:)`. A position beyond the end stops the program.
  public final func _managedInsert<Member: NSManagedObject>(
    _ values: [Member], at indexes: NSIndexSet, _ key: _PropertyKey
  ) {
    insertMembers(values, at: IndexSet(indexes), orderedSlot(key))
  }

  /// Removes the member at a position: `removeFrom<Relationship>(at:)`. A position beyond the end stops the program.
  public final func _managedRemove(at index: Int, _ key: _PropertyKey) {
    let slot = orderedSlot(key)
    removeMember(orderedMember(at: index, slot), slot)
  }

  /// Removes the members at positions: `removeFrom<Relationship>(at:)`. A position beyond the end stops the program.
  public final func _managedRemove(at indexes: NSIndexSet, _ key: _PropertyKey) {
    removeMembers(at: IndexSet(indexes), orderedSlot(key))
  }

  /// Replaces the member at a position: `replace<Relationship>(at:with:)`. A position beyond the end stops the program.
  public final func _managedReplace(at index: Int, with value: NSManagedObject, _ key: _PropertyKey) {
    replaceMember(at: index, with: value, orderedSlot(key))
  }

  /// Replaces the members at positions: `replace<Relationship>(at:with:)`. A position beyond the end stops the program.
  public final func _managedReplace<Member: NSManagedObject>(
    at indexes: NSIndexSet, with values: [Member], _ key: _PropertyKey
  ) {
    replaceMembers(at: IndexSet(indexes), with: values, orderedSlot(key))
  }

  /// The slot of an ordered to-many relationship; positions in an unordered one stop the program.
  private final func orderedSlot(_ key: _PropertyKey) -> PropertySlot {
    let slot = toManySlot(key)
    guard slot.isOrdered else {
      raise(
        .invalidArgument,
        "The relationship \"\(slot.name)\" of entity \(layout.name) is not ordered; the class \(type(of: self)) uses "
          + "positions in it.")
    }
    return slot
  }
}
