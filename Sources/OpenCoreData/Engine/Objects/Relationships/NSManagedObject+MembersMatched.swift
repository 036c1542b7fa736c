import Foundation
import OpenCocoaFoundation

// The stored members of a to-many relationship are read at another moment than the members' own rows, and others may have
// saved in between. What the context holds unsaved wins over what was read; of two states that were read the later counts.
extension NSManagedObject {
  /// Called when the members are put together, with the members that the store has. Without unsaved changes, merges and
  /// refreshes there is nothing to compare.
  @inline(__always)
  final func matchMembers(_ stored: ContiguousArray<NSManagedObject>, _ slot: PropertySlot, _ state: ToManyState) {
    if state.wasForgotten || table?.context?.changed.isEmpty == false { matchMembersNow(stored, slot, state) }
  }

  private final func matchMembersNow(
    _ stored: ContiguousArray<NSManagedObject>, _ slot: PropertySlot, _ state: ToManyState
  ) {
    guard let inverse = slot.inverse, !state.isBeingMatched else { return }
    let former = state.former.take(), wasForgotten = state.wasForgotten
    state.wasForgotten = false
    if slot.inverseIsToMany, !wasForgotten { return }
    state.isBeingMatched = true
    defer { state.isBeingMatched = false }
    if slot.inverseIsToMany {
      matchLists(stored, former, slot, inverse, state)
    } else {
      if wasForgotten { dropVoidChanges(slot, inverse, state) }
      matchRows(stored, slot, inverse, state)
      if let former { matchFormerMembers(former, slot, inverse, state) }
    }
  }

  /// Lets a many-to-many relationship be read anew that was read before others related `other` to this object, or ended
  /// that: what the other end is about to change would be no change at this end otherwise, and a save would not write it.
  /// - Parameter isMember: whether the other end says that the two are related.
  final func forgetIfOutdated(_ slot: PropertySlot, _ other: NSManagedObject, isMember: Bool) {
    guard other !== self, let state = relations?.toMany(slot.relationIndex), let keys = state.keys, other.mayBeStored
    else { return }
    let isStored = keys.contains(other.key)
    let isOutdated =
      isMember ? !isStored && !state.added.contains(other) : isStored && !state.removed.contains(other)
    if isOutdated, let arrangement = state.forgetStored() { rearrange(arrangement, slot) }
  }

  /// Drops members that were added or removed here, and whose own ends say otherwise since.
  private final func dropVoidChanges(_ slot: PropertySlot, _ inverse: _PropertyKey, _ state: ToManyState) {
    if !state.hasChanges { return }
    func isVoid(_ member: NSManagedObject, _ isMember: Bool) -> Bool {
      guard !member.state.contains(.deleted), !member.isDetached, let back = member.layout.slot(inverse) else {
        return false
      }
      if let leads = member.leads(to: self, by: back) { return leads != isMember }
      // Of a fault the stored members say what it is.
      return true
    }
    for member in state.added.filter({ isVoid($0, true) }) { state.withdraw(member) }
    for member in state.removed.filter({ isVoid($0, false) }) { state.withdraw(member) }
  }

  /// Looks for members whose own rows, or unsaved values, lead to another object.
  private final func matchRows(
    _ stored: ContiguousArray<NSManagedObject>, _ slot: PropertySlot, _ inverse: _PropertyKey, _ state: ToManyState
  ) {
    var others: ContiguousArray<NSManagedObject> = []
    var known: (layout: Uncounted<EntityLayout>, index: Int)?
    stored.forEachUncounted { _, member in
      guard let row = member.rowReference else { return }
      if known?.layout != member.layoutReference {
        guard let back = member.layout.slot(inverse) else { return }
        known = (member.layoutReference, back.index)
      }
      guard let index = known?.index else { return }
      if member.changesReference != nil || member.state.contains(.deleted)
        || row.read({ $0.memberKey(at: index) }) != key
      {
        others.append(member)
      }
    }
    for member in others {
      guard let back = member.layout.slot(inverse), !state.removed.contains(member) else { continue }
      if member.state.contains(.deleted) {
        // Its delete rules were applied to the owner that it had then.
        if member.state.contains(.deletionPropagated), back.relationship.deleteRule == .nullifyDeleteRule {
          state.removed.insert(member)
          table?.context?.saving.noteLooseEnd(of: self)
        }
        continue
      }
      guard member.leads(to: self, by: back) == false else { continue }
      // The delete rule of this object has taken it away from the member: undoing the deletion relates both again.
      if self.state.contains(.deleted), member.hasLost(self, back) { continue }
      if !member.holds(back) {
        // A value that a primitive accessor has set does not concern this end.
        if member.changes.map({ !$0.values[back.index].isUnset }) ?? false { continue }
        member.takePresentRow()
        if member.leads(to: self, by: back) != false { continue }
      }
      state.removed.insert(member)
      table?.context?.saving.noteLooseEnd(of: self)
    }
  }

  /// Looks for former members that do not know yet that they belong to another object.
  private final func matchFormerMembers(
    _ former: KeyArray, _ slot: PropertySlot, _ inverse: _PropertyKey, _ state: ToManyState
  ) {
    guard let now = state.keys, now !== former else { return }
    for key in former.keys where !now.contains(key) {
      guard let member = registeredMember(key, slot), !member.isUnread, let back = member.layout.slot(inverse),
        !member.holds(back), member.leads(to: self, by: back) == true, !member.state.contains(.hasNoRow)
      else { continue }
      member.takePresentRow()
    }
  }

  /// Makes members that came or went read their own members anew, where these say otherwise.
  private final func matchLists(
    _ stored: ContiguousArray<NSManagedObject>, _ former: KeyArray?, _ slot: PropertySlot, _ inverse: _PropertyKey,
    _ state: ToManyState
  ) {
    func match(_ member: NSManagedObject, isStored: Bool) {
      guard let back = member.layout.slot(inverse), let other = member.relations?.toMany(back.relationIndex) else {
        return
      }
      guard let keys = other.keys, keys.contains(key) != isStored else { return }
      member.noteRefresh()
      member.telling(back, .setting) {
        if let arrangement = other.forgetStored() { member.rearrange(arrangement, back) }
      }
    }
    for member in stored { match(member, isStored: true) }
    guard let former, let now = state.keys, now !== former else { return }
    for key in former.keys where !now.contains(key) {
      if let member = registeredMember(key, slot) { match(member, isStored: false) }
    }
  }

  /// Takes the row that the context sees now, under the object's own changes.
  final func takePresentRow() {
    guard let context = table?.context, !state.contains(.hasNoRow) else { return }
    RefreshRun(in: context).takeRow(of: self)
  }
}
