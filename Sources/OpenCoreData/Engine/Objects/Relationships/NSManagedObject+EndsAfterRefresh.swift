import Foundation
import OpenCocoaFoundation

// Both ends of relationships after an object got a newer row under its unsaved changes: what the context holds unsaved
// wins over the row, and the other ends follow. The row that loses a member by this is written by the next save.
extension NSManagedObject {
  /// Makes the other ends of to-one relationships agree with the object, which has got its present row in place of `old`.
  final func matchEnds(after old: Snapshot) {
    guard let row = snapshot, row !== old else { return }
    for place in layout.relationshipPlaces {
      // Compared by index, because copying a slot is expensive.
      guard layout.slots[place].kind == .toOne,
        layout.slots[place].inverse != nil || layout.slots[place].hasFurtherEnds
      else { continue }
      let index = layout.slots[place].index
      let before = old.memberKey(at: index), now = row.memberKey(at: index)
      if before == now, changes == nil || now == 0 { continue }
      let slot = layout.slots[place]
      if before != now, let context = table?.context, let member = registeredMember(now, slot) {
        // A member that is deleted here has applied its delete rules when this object was not known to be related to it.
        ChangeRun(in: context).propagateAgain(member)
      }
      if slot.hasFurtherEnds {
        for list in slot.lists { matchOwners(slot, list, row, before: before, now: now) }
      } else if let inverse = slot.inverse, slot.inverseIsToMany {
        matchOwners(slot, inverse, row, before: before, now: now)
      }
      if let inverse = slot.inverse, !slot.inverseIsToMany {
        matchPartners(slot, inverse, row, before: before, now: now)
      }
    }
  }

  /// Whether a to-one relationship was set here and not saved.
  final func holds(_ slot: PropertySlot) -> Bool {
    guard let changes else { return false }
    return !changes.values[slot.index].isUnset && !changes.untracked.contains(slot.index)
  }

  /// Whether a to-one relationship leads to `other`, as far as this is known without firing the fault.
  final func leads(to other: NSManagedObject, by slot: PropertySlot) -> Bool? {
    if let value = changes?.values[slot.index], !value.isUnset {
      switch value {
      case .object(let member): return member === other
      case .int(let key): return key == other.key
      default: return false
      }
    }
    return snapshot.map { $0.memberKey(at: slot.index) == other.key }
  }

  /// The object that a row names by that key, if the context has it.
  final func registeredMember(_ key: Int64, _ slot: PropertySlot) -> NSManagedObject? {
    guard key != 0, let context = table?.context, let destination = slot.destination else { return nil }
    return context.objects.table(for: destination.layout, store: key > 0 ? memberStore : nil).object(key)
  }

  // MARK: The other end is a to-many

  private final func matchOwners(
    _ slot: PropertySlot, _ inverse: _PropertyKey, _ row: Snapshot, before: Int64, now: Int64
  ) {
    for key in before == now ? [now] : [before, now] {
      guard let owner = registeredMember(key, slot), let back = owner.layout.slot(inverse) else { continue }
      owner.matchMember(self, slot, back, isStored: key == now)
    }
    guard holds(slot), now != 0, let owner = storedMember(slot, row), leads(to: owner, by: slot) == false,
      let back = owner.layout.slot(inverse)
    else { return }
    owner.lose(self, back)
  }

  /// Brings what this owner knows of a member up to date, whose row has changed.
  private final func matchMember(
    _ member: NSManagedObject, _ slot: PropertySlot, _ back: PropertySlot, isStored: Bool
  ) {
    guard let state = relations?.toMany(back.relationIndex) else { return }
    let isOutdated = state.keys.map { $0.contains(member.key) != isStored } ?? false
    var isVoid = false
    if !member.state.contains(.deleted), let leads = member.leads(to: self, by: slot) {
      isVoid = leads ? state.removed.contains(member) : state.added.contains(member)
    }
    if !isOutdated, !isVoid { return }
    noteRefresh()
    telling(back, .setting) {
      if isVoid { state.withdraw(member) }
      if isOutdated, let arrangement = state.forgetStored() { rearrange(arrangement, back) }
    }
  }

  /// Takes a member out of the members that the store has, since it belongs to another object here.
  private final func lose(_ member: NSManagedObject, _ slot: PropertySlot) {
    let members = toManyState(slot.relationIndex)
    if members.removed.contains(member) { return }
    tellingMember(slot, .minus, member) { _ = members.remove(member) }
    noteLoss()
  }

  // MARK: The other end is a to-one

  private final func matchPartners(
    _ slot: PropertySlot, _ inverse: _PropertyKey, _ row: Snapshot, before: Int64, now: Int64
  ) {
    guard let context = table?.context else { return }
    if holds(slot) { return matchPartner(slot) }
    if let partner = registeredMember(now, slot), let back = partner.layout.slot(inverse),
      partner.leads(to: self, by: back) == false
    {
      if partner.holds(back) { lose(slot) } else { context.merger.noteOutdated(partner, back, self, slot) }
    }
    if before != now, let partner = registeredMember(before, slot), let back = partner.layout.slot(inverse),
      !partner.holds(back), partner.leads(to: self, by: back) == true
    {
      context.merger.noteOutdated(partner, back, self, slot)
    }
  }

  /// Has the partner that the row names give the object up, which belongs to another one here, or to none.
  final func matchPartner(_ slot: PropertySlot) {
    guard let inverse = slot.inverse, let row = snapshot, let partner = storedMember(slot, row),
      leads(to: partner, by: slot) == false, let back = partner.layout.slot(inverse)
    else { return }
    if partner.isUnread { _ = partner.realised }
    if partner.leads(to: self, by: back) == true {
      partner.lose(back)
    } else if !partner.holds(back) {
      table?.context?.merger.noteOutdated(partner, back, self, slot)
    }
  }

  /// Whether the member that the row names for a one-to-one relationship belongs to another object here. Its own row
  /// need not say so yet: then the save finds a conflict.
  final func isHeldElsewhere(_ member: NSManagedObject, _ slot: PropertySlot) -> Bool {
    guard let inverse = slot.inverse, member.changes != nil, let back = member.layout.slot(inverse) else {
      return false
    }
    return member.holds(back) && member.leads(to: self, by: back) == false && !member.state.contains(.deleted)
  }

  /// Gives up the member that the row names, if there is one that nothing here has taken away yet.
  final func loseStoredMember(_ slot: PropertySlot) {
    guard let row = snapshot, row.memberKey(at: slot.index) != 0, changes.map({ $0.values[slot.index].isUnset }) ?? true
    else { return }
    lose(slot)
  }

  /// Whether this object's row names `other` in a one-to-one relationship and the row of `other` does not name this object: the
  /// rows are of two states. An object with changes keeps its row, so that its save finds the conflict.
  final func isOutdated(for other: NSManagedObject, _ slot: PropertySlot) -> Bool {
    guard !slot.inverseIsToMany, !hasChanges, key > 0, other.key > 0, let inverse = slot.inverse,
      let row = other.snapshot, let end = other.layout.slot(inverse)
    else { return false }
    return row.memberKey(at: end.index) != key
  }

  /// Has the next save write the value of a one-to-one relationship that was set here, if the present row names `other`: when
  /// it was set, it may have been what the row said then.
  final func writeHeldEnd(of other: NSManagedObject, _ slot: PropertySlot) {
    guard !slot.inverseIsToMany, holds(slot), other.key > 0, let row = snapshot,
      row.memberKey(at: slot.index) == other.key
    else { return }
    noteLoss()
  }

  /// Sets the partner that has this object here.
  final func keep(_ partner: NSManagedObject, _ slot: PropertySlot) {
    telling(slot, .setting) {
      let changes = writableChanges()
      changes.values[slot.index] = .object(partner)
      changes.untracked.remove(slot.index)
      relations?.states[slot.relationIndex] = nil
    }
    noteLoss()
  }

  /// Gives up the member that the row names, since it belongs to another object here, or to none.
  final func lose(_ slot: PropertySlot) {
    telling(slot, .setting) {
      let changes = writableChanges()
      changes.values[slot.index] = .null
      changes.untracked.remove(slot.index)
      relations?.states[slot.relationIndex] = nil
    }
    noteLoss()
  }

  // MARK: Telling of it

  /// Notes that the next save has to write the object. This belongs to the merge: it is told as refreshed, and undoing
  /// leaves it alone.
  private final func noteLoss() {
    noteRefresh()
    guard state.isDisjoint(with: [.deleted, .hasNoRow]) else { return }
    if !state.contains(.updated) { state.remove(.insertedAgain) }
    state.insert(.updated)
    // A refresh is no entry of the event, and the object may be in the list without changes.
    noteChangeOutsideOfEvent()
    table?.context?.list(self)
  }

  final func noteRefresh() {
    guard let context = table?.context else { return }
    if context.event.isEmpty { context.events.begin() }
    context.event.noteRefresh(of: self)
  }
}

extension Snapshot {
  /// The key that a to-one relationship's slot has; 0 for none.
  @inline(__always)
  func memberKey(at index: Int) -> Int64 { isNull(index) ? 0 : int(index) }
}
