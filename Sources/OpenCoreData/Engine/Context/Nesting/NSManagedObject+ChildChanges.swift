import Foundation
import OpenCocoaFoundation

// How an object of a parent context takes over the changes of a child's object. Both ends of a changed relationship are
// among the changes; each end is set as an accessor would set it, since the parent may have changed it too.
extension NSManagedObject {
  /// Takes over the attributes that the child has set, transient ones too.
  final func takeAttributes(of own: NSManagedObject) {
    guard let changes = own.changes else { return }
    let isNew = own.state.contains(.inserted)
    for slot in layout.slots where !slot.kind.isRelationship && slot.kind != .composite {
      let value = changes.values[slot.index]
      let isSet = isNew || slot.isTransient || own.changedValue(slot, untracked: true) != nil
      guard isSet, !value.isUnset else { continue }
      if isNew, value.isNull, writableChanges().values[slot.index].isNull { continue }
      take(value, slot)
      if changes.untracked.contains(slot.index) { writableChanges().untracked.insert(slot.index) }
    }
  }

  private final func take(_ value: StoredValue, _ slot: PropertySlot) {
    var value = value
    // The parent gets bytes, since code on two queues could change a shared object.
    if case .transformed(let object) = value {
      let bytes = object.bytes ?? object.object.flatMap { try? slot.attribute.transformedBytes(of: $0) }
      value = bytes.map(StoredValue.data) ?? .null
    }
    if slot.isElement {
      tellingComposite(slot) { store(value, slot) }
    } else {
      setValue(value, slot)
    }
  }

  /// Called for an object that comes back because a child has taken back its deletion: it lets go of members that the child's
  /// object does not have. The delete rules have taken it away from them here.
  final func letGoOfMembers(besidesThoseOf own: NSManagedObject, from child: NSManagedObjectContext) {
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      if slot.kind == .toOne {
        let wanted = own.toOne(slot).flatMap { counterpart(of: $0, of: child) }
        if let member = toOne(slot), member !== wanted { setToOne(nil, slot) }
      } else {
        let wanted = Set(own.members(slot).compactMap { counterpart(of: $0, of: child) })
        for member in members(slot) where !wanted.contains(member) { dropMember(member, slot) }
      }
    }
  }

  /// Called afterwards: the members that the object still has lead to it again.
  final func leadMembersBack() {
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      guard let inverse = slot.inverse else { continue }
      let members = slot.kind == .toOne ? toOne(slot).map { [$0] } ?? [] : members(slot)
      for member in members where !member.state.contains(.deleted) { member.addInverse(inverse, self, from: slot.key) }
    }
  }

  /// Takes over the members that the child has added to and removed from to-many relationships.
  final func takeMembers(of own: NSManagedObject, from child: NSManagedObjectContext) {
    guard let relations = own.relations else { return }
    for slot in layout.slots where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      for member in state.removed where isSaid(by: member, slot) {
        if let there = counterpart(of: member, of: child) { dropMember(there, slot) }
      }
      if state.added.isEmpty { continue }
      let added = slot.isOrdered ? own.members(slot).filter(state.added.contains) : ContiguousArray(state.added)
      for member in added where !member.state.contains(.deleted) && isSaid(by: member, slot) {
        if let there = counterpart(of: member, of: child) { addMember(there, slot) }
      }
    }
  }

  /// Whether the child's member confirms a change. If its own end is a to-one, its row decides which object it belongs
  /// to; the change may have become void since, by a merge for instance.
  private final func isSaid(by member: NSManagedObject, _ slot: PropertySlot) -> Bool {
    guard let inverse = slot.inverse, !slot.inverseIsToMany, let back = member.layout.slot(inverse) else { return true }
    return !member.state.isDisjoint(with: [.inserted, .deleted]) || member.changedValue(back, untracked: true) != nil
  }

  /// Does the same as `removeMember`, without reading the members.
  private final func dropMember(_ object: NSManagedObject, _ slot: PropertySlot) {
    if slot.inverseIsToMany { forgetIfOutdated(slot, object, isMember: true) }
    enterEvent()
    tellingMember(slot, .minus, object) {
      guard toManyState(slot.relationIndex).remove(object) else { return }
      markChanged()
      if let inverse = slot.inverse { object.dropInverse(inverse, self, from: slot.key) }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, object, nil) }
    }
  }

  /// Takes over the to-one relationships that the child has set.
  final func takeToOnes(of own: NSManagedObject, from child: NSManagedObjectContext) {
    for slot in layout.slots where slot.kind == .toOne {
      switch own.changedValue(slot, untracked: true) {
      case .object(let member)?:
        let there = counterpart(of: member, of: child)
        if toOne(slot) !== there { setToOne(there, slot) }
      case .null?: if toOne(slot) != nil { setToOne(nil, slot) }
      default: break
      }
    }
  }

  /// Puts the members of ordered relationships in the child's order. Those that only the parent has come last.
  final func takeOrder(of own: NSManagedObject, from child: NSManagedObjectContext) {
    guard let relations = own.relations else { return }
    for slot in layout.orderedSlots {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      let isArranged = state.order?.isArranged == true
      let wanted = own.members(slot).filter { isArranged || state.added.contains($0) }
        .compactMap { counterpart(of: $0, of: child) }
      let isInPlace =
        !isArranged && toManyState(slot.relationIndex).appended.suffix(wanted.count).elementsEqual(wanted, by: ===)
      if wanted.isEmpty || isInPlace { continue }
      let current = members(slot), known = Set(current), named = Set(wanted)
      var here = ContiguousArray(wanted.filter(known.contains))
      var others = ContiguousArray(current.filter { !named.contains($0) })
      if isArranged { swap(&here, &others) }
      let arranged = ContiguousArray([others, here].joined())
      if !arranged.elementsEqual(current, by: ===) { reorder(slot, .setting) { $0 = arranged } }
    }
  }

  /// The object of this context that stands for a child's object; nil if only the child has it.
  private final func counterpart(of object: NSManagedObject, of child: NSManagedObjectContext) -> NSManagedObject? {
    guard let context = table?.context else { return nil }
    KeyExchange(of: context).match(with: child)
    if let known = AncestorLevel(context).counterpart(of: object) { return known }
    if object.isDetached || object.state.contains(.inserted) { return nil }
    return context.objects.faultObject(key: object.key, layout: object.layout, store: object.table?.store)
  }

  /// Called after a deletion that came from a child: relationships to the object that this context has set and not saved
  /// must not lead to it any more.
  final func letGoOfUnsavedRelations() {
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      guard let inverse = slot.inverse, slot.relationship.deleteRule != .noActionDeleteRule else { continue }
      if slot.kind == .toOne {
        guard case .object(let member)? = changes?.values[slot.index] else { continue }
        if !member.state.contains(.deleted), !member.isDetached {
          member.dropInverse(inverse, self, from: slot.key)
        }
      } else if let state = relations?.states[slot.relationIndex] as? ToManyState {
        for member in state.added where !member.state.contains(.deleted) && !member.isDetached {
          member.dropInverse(inverse, self, from: slot.key)
        }
      }
    }
  }
}
