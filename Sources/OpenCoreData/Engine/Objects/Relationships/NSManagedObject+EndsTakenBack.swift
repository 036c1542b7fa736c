import Foundation
import OpenCocoaFoundation

// Both ends of relationships when an object drops its changes: what its row says is taken back at the other ends, and what
// the rows of other objects say, which keep their changes, stays here.
extension NSManagedObject {
  /// Takes the changes of to-one relationships back at the other ends; the object is about to lose them.
  /// - Returns: the relationships in which the row's member belongs to another object here by now, or is deleted.
  final func takeBackEnds() -> [PropertySlot] {
    takeBackLists()
    guard let row = snapshot else { return [] }
    var lost: [PropertySlot] = []
    for place in layout.relationshipPlaces where layout.slots[place].kind == .toOne {
      let slot = layout.slots[place]
      guard slot.inverse != nil || slot.hasFurtherEnds, holds(slot) else { continue }
      let current: NSManagedObject? = if case .object(let member)? = changes?.values[slot.index] { member } else { nil }
      unset(slot)
      let before = storedMember(slot, row)
      let ends =
        [slot.inverse].compactMap { $0 } + (slot.hasFurtherEnds ? slot.lists.filter { $0 != slot.inverse } : [])
      for other in [current, before === current ? nil : before].compactMap({ $0 }) {
        for back in ends.compactMap({ other.layout.slot($0) }) { other.takeBack(self, back) }
      }
      if let before, let inverse = slot.inverse, isLost(before, slot, inverse) { lost.append(slot) }
    }
    return lost
  }

  /// Whether the row's member belongs to another object here, or is deleted here, which has ended the relationship.
  private final func isLost(_ member: NSManagedObject, _ slot: PropertySlot, _ inverse: _PropertyKey) -> Bool {
    if member.state.isSuperset(of: [.deleted, .deletionPropagated]) {
      return member.layout.slot(inverse)?.relationship.deleteRule == .nullifyDeleteRule
    }
    return !slot.inverseIsToMany && isHeldElsewhere(member, slot)
  }

  /// Gives an object whose deletion is undone the partner that its row names: one whom others have related to it meanwhile
  /// has lost it to the delete rule. Where the partner belongs to another object here, this object loses it.
  final func regainPartner(_ slot: PropertySlot, _ inverse: _PropertyKey) {
    guard !holds(slot), toOne(slot) == nil, let row = snapshot, let partner = storedMember(slot, row),
      !partner.isDetached,
      !partner.state.contains(.deleted), let back = partner.layout.slot(inverse)
    else { return }
    partner.takeBack(self, back)
    if isHeldElsewhere(partner, slot) { loseStoredMember(slot) }
  }

  /// Gives an object whose deletion is undone the members that others have related to it meanwhile: the delete rule has taken
  /// the object away from them when they were merged, of which undo knows nothing.
  final func regainMembers() {
    guard let relations else { return }
    for place in layout.relationshipPlaces where layout.slots[place].kind == .toMany {
      let slot = layout.slots[place]
      guard let inverse = slot.inverse, relations.toMany(slot.relationIndex) != nil else { continue }
      for member in members(slot) where !member.isDetached && !member.state.contains(.deleted) {
        if let back = member.layout.slot(inverse), member.hasLost(self, back) { member.takeBack(self, back) }
      }
    }
  }

  /// Whether an unsaved change here has ended the relationship to `other`, which the store has.
  final func hasLost(_ other: NSManagedObject, _ slot: PropertySlot) -> Bool {
    if slot.kind == .toMany { return relations?.toMany(slot.relationIndex)?.removed.contains(other) == true }
    guard holds(slot), case .null? = changes?.values[slot.index] else { return false }
    return snapshot?.memberKey(at: slot.index) == other.key
  }

  /// Takes members that were added or removed back at the other ends that are lists, too.
  private final func takeBackLists() {
    guard let relations else { return }
    for place in layout.relationshipPlaces where layout.slots[place].kind == .toMany {
      let slot = layout.slots[place]
      guard let inverse = slot.inverse, slot.inverseIsToMany, let state = relations.toMany(slot.relationIndex) else {
        continue
      }
      for other in state.added.union(state.removed) where !other.isDetached && !other.state.contains(.deleted) {
        if let back = other.layout.slot(inverse) { other.takeBack(self, back) }
      }
    }
  }

  /// Takes back that `other` was related to this object here, or no longer was.
  private final func takeBack(_ other: NSManagedObject, _ slot: PropertySlot) {
    if slot.kind == .toMany {
      guard let state = relations?.toMany(slot.relationIndex) else { return }
      noteRefresh()
      return telling(slot, .setting) { state.withdraw(other) }
    }
    guard holds(slot) else { return }
    switch changes?.values[slot.index] {
    case .object(let member)? where member === other: break
    case .null? where snapshot?.memberKey(at: slot.index) == other.key: break
    default: return
    }
    noteRefresh()
    telling(slot, .setting) { unset(slot) }
    // The partner that this object had before may have it again.
    if let row = snapshot, let former = storedMember(slot, row), former !== other, let inverse = slot.inverse,
      let back = former.layout.slot(inverse)
    {
      if isHeldElsewhere(former, slot), former.changes?.values[back.index].isNull != true {
        lose(slot)
      } else {
        former.takeBack(self, back)
      }
    }
  }

  /// Drops the relationships that were read. Members that were added or removed here stay where the other ends keep that
  /// as changes of their own.
  final func dropRelations() {
    guard let states = relations?.states, table?.context != nil else { return relations = nil }
    var kept: [(index: Int, state: ToManyState)] = []
    for place in layout.relationshipPlaces where layout.slots[place].kind == .toMany {
      let slot = layout.slots[place]
      guard let inverse = slot.inverse, let state = states[slot.relationIndex] as? ToManyState,
        !state.added.isEmpty || !state.removed.isEmpty
      else { continue }
      for member in state.added.union(state.removed) where !isHeld(by: member, slot, inverse) { state.withdraw(member) }
      if !state.added.isEmpty || !state.removed.isEmpty { kept.append((slot.relationIndex, state)) }
    }
    relations = nil
    if kept.isEmpty { return }
    for (index, state) in kept {
      _ = state.forgetStored()
      state.order?.arrangement = .none
      state.former = nil
      relationStates.states[index] = state
    }
    table?.context?.saving.noteLooseEnd(of: self)
  }

  private final func isHeld(by member: NSManagedObject, _ slot: PropertySlot, _ inverse: _PropertyKey) -> Bool {
    guard !member.isDetached, let back = member.layout.slot(inverse) else { return false }
    if member.state.contains(.deleted) { return true }
    if back.kind == .toOne { return member.changes != nil && member.holds(back) }
    guard let other = member.relations?.toMany(back.relationIndex) else { return false }
    return other.added.contains(self) || other.removed.contains(self)
  }
}
