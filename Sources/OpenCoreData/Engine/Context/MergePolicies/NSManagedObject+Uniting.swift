import Foundation
import OpenCocoaFoundation

// Two objects that must become one: the object that goes hands its values, members and owners to the one that stays.
extension NSManagedObject {
  /// The values that an object hands over when it is united with another one.
  enum GivenValues {
    /// No values; only members and owners move.
    case relationships
    /// The values of the properties for which the other object has no value.
    case missing
    /// The values that were set, as far as this can be known: nil and the model's default values count as not set.
    case set
    case all
  }

  /// Gives values, members and owners to the object that stays, as far as both have the properties.
  final func give(to survivor: NSManagedObject, _ given: GivenValues) {
    for slot in layout.slots where !slot.isTransient && slot.kind != .composite {
      guard let place = survivor.layout.slot(named: slot.name), place.property === slot.property else { continue }
      switch slot.kind {
      case .toMany:
        let members = members(slot)
        for member in members where member !== survivor && !member.isDeleted {
          survivor.addMember(member === self ? survivor : member, place)
        }
        if slot.inverse == nil || slot.inverseIsToMany { for member in members { removeMember(member, slot) } }
      case .toOne: giveMember(slot, to: survivor, place, given)
      default: giveValue(slot, to: survivor, place, given)
      }
    }
  }

  private final func giveValue(
    _ slot: PropertySlot, to survivor: NSManagedObject, _ place: PropertySlot, _ given: GivenValues
  ) {
    if slot.property is NSDerivedAttributeDescription { return }
    let value = currentValue(slot), old = survivor.currentValue(place)
    switch given {
    case .relationships: return
    case .missing: if !old.isNull { return }
    case .set: if !isSet(slot, value) { return }
    case .all: break
    }
    if !value.isSame(as: old) { survivor.setValue(value.isUnset ? .null : value, place) }
  }

  /// Whether a new object's value differs from its default and is not nil.
  private final func isSet(_ slot: PropertySlot, _ value: StoredValue) -> Bool {
    !value.isNull && !value.isUnset && !value.isSame(as: layout.defaults[slot.index])
  }

  private final func giveMember(
    _ slot: PropertySlot, to survivor: NSManagedObject, _ place: PropertySlot, _ given: GivenValues
  ) {
    guard let member = toOne(slot) else { return }
    setToOne(nil, slot)
    if member.isDeleted || member === survivor { return }
    // The owners of this object become owners of the survivor.
    let isWanted = given == .set || given == .all || (survivor.toOne(place) == nil && given == .missing)
    if isWanted { survivor.setToOne(member === self ? survivor : member, place) }
  }

  /// Leaves the context without having been saved, after it was taken out of all relationships.
  final func leaveUnsaved() {
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      if slot.kind == .toOne {
        if toOne(slot) != nil { setToOne(nil, slot) }
      } else {
        for member in members(slot) { removeMember(member, slot) }
      }
    }
    enterEvent()
    // No delete rule applies: the object's members have moved.
    state.formUnion([.deleted, .deletionPropagated])
    table?.context?.list(self)
  }

  /// Whether the object is a fault of which nothing has been read or changed, so that it can be replaced unnoticed.
  final var isUntouchedFault: Bool { isUnread && relations == nil && changes == nil && !hasChanges }

  /// Makes this new object the object of a row, in place of another object that the context has for the row.
  /// - Parameter setValuesOnly: whether the row keeps its values of properties that were not set on this object.
  final func takeOver(
    _ holder: NSManagedObject, _ row: Snapshot, setValuesOnly: Bool, _ merged: MergedObjects
  ) {
    guard let context = table?.context, let store = holder.table?.store else { return }
    take(row, setValuesOnly: setValuesOnly, merged) {
      context.objects.unregister(holder)
      context.objects.move(self, to: store, key: holder.key)
      context.identityMaps.forgetAssignment(of: self)
    }
  }

  /// Makes this object, which has come back under its former ID, the object of the row that others have made with that ID
  /// meanwhile: both have undone the deletion of the object, for instance.
  /// - Parameter setValuesOnly: whether the row keeps its values of properties that were not set on this object.
  final func meet(_ row: Snapshot, setValuesOnly: Bool, _ merged: MergedObjects) {
    take(row, setValuesOnly: setValuesOnly, merged) {}
  }

  private final func take(_ row: Snapshot, setValuesOnly: Bool, _ merged: MergedObjects, _ register: () -> Void) {
    merged.willMerge(self)
    enterEvent()
    var members: [(PropertySlot, NSManagedObject)] = []
    let changes = writableChanges()
    for slot in layout.slots where !slot.isTransient && slot.kind != .composite && slot.kind != .toMany {
      if slot.kind == .toOne {
        if let member = toOne(slot) { members.append((slot, member)) }
        setToOne(nil, slot)
        changes.values[slot.index] = .unset
      } else if setValuesOnly && !isSet(slot, changes.values[slot.index])
        || slot.property is NSDerivedAttributeDescription
      {
        changes.values[slot.index] = .unset
      }
    }
    register()
    snapshot = row
    changes.formerVersion = 0
    state.subtract([.inserted, .hasNoRow])
    state.insert(.updated)
    for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let state = relations?.states[slot.relationIndex] as? ToManyState else { continue }
      state.keys = nil
      merged.forgetMembers(of: self, slot)
    }
    for slot in layout.slots where slot.kind == .toOne { relations?.states[slot.relationIndex] = nil }
    for (slot, member) in members where !member.isDeleted && !member.isDetached { setToOne(member, slot) }
  }
}
