// The values of an object that undoing needs.
extension NSManagedObject {
  /// The value of an attribute, or the member of a to-one as an object, if `own` are the object's own values. The object
  /// must not be a fault.
  final func value<Values: RandomAccessCollection>(
    _ slot: PropertySlot, own: Values?
  ) -> StoredValue where Values.Element == StoredValue, Values.Index == Int {
    if let value = own?[slot.index], !value.isUnset { return value }
    if slot.isTransient { return layout.defaults[slot.index] }
    guard slot.kind == .toOne else { return committedValue(slot) }
    return snapshot.flatMap { storedMember(slot, $0) }.map(StoredValue.object) ?? .null
  }

  /// The row's value of an attribute, if it is in a file that could not be read and `own` has no other value.
  final func unreadValue<Values: RandomAccessCollection>(
    _ slot: PropertySlot, own: Values?
  ) -> UnreadValue? where Values.Element == StoredValue, Values.Index == Int {
    guard slot.allowsExternalFile, own?[slot.index].isUnset ?? true else { return nil }
    return snapshot?.unread(slot.index)
  }

  /// Whether the store has `member` in the relationship; reads the members' keys if neither end knows.
  final func isStoredMember(_ member: NSManagedObject, _ slot: PropertySlot, _ state: ToManyState) -> Bool {
    if !mayBeStored || !member.mayBeStored { return false }
    if let keys = state.keys { return keys.contains(member.key) }
    if let back = slot.inverse.flatMap({ member.layout.slot($0) }) {
      if back.kind == .toOne, let row = member.snapshot { return !row.isNull(back.index) && row.int(back.index) == key }
      let other = member.relations?.states[back.relationIndex] as? ToManyState
      if let keys = other?.keys { return keys.contains(key) }
    }
    return storedKeys(slot, state)?.contains(member.key) ?? false
  }

  /// Drops own values and members that are the same as the row's again, so that they do not hide the values of later rows.
  /// - Parameter dropped: gets the members whose own lists may still have the same change.
  /// - Returns: whether nothing is left that a save would have to write.
  final func dropRestoredValues(_ dropped: inout [DroppedMember]) -> Bool {
    guard snapshot != nil else { return false }
    let areMembersClean = dropRestoredMembers(&dropped)
    return dropUnchangedValues() && areMembersClean
  }

  /// Drops own values of attributes and to-one relationships that are the same as the row's.
  /// - Returns: whether no own values are left that differ.
  @discardableResult
  final func dropUnchangedValues() -> Bool {
    guard snapshot != nil, let changes else { return true }
    var isClean = true
    for slot in layout.slots where slot.kind != .toMany && slot.kind != .composite && !slot.isTransient {
      if changes.values[slot.index].isUnset || changes.untracked.contains(slot.index) { continue }
      if changedValue(slot) != nil {
        isClean = false
      } else {
        changes.values[slot.index] = .unset
      }
    }
    if changes.values.allSatisfy(\.isUnset) { self.changes = nil }
    return isClean
  }

  private final func dropRestoredMembers(_ dropped: inout [DroppedMember]) -> Bool {
    guard let relations else { return true }
    var isClean = true
    for slot in layout.slots where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      if state.added.contains(where: { !isStoredMember($0, slot, state) })
        || state.removed.contains(where: { isStoredMember($0, slot, state) }) || isReordered(slot)
      {
        isClean = false
        continue
      }
      if let inverse = slot.inverse, slot.inverseIsToMany {
        for member in state.added.union(state.removed) {
          dropped.append(DroppedMember(member: member, inverse: inverse, owner: self))
        }
      }
      if let order = state.order {
        // This reads all members, so that from here on they are known as a whole.
        _ = members(slot)
        order.arrangement = .none
      }
      state.added = []
      state.removed = []
    }
    return isClean
  }
}

/// A member of a many-to-many relationship that was added or removed here, as the store has it again. The object that has
/// it has dropped this change.
struct DroppedMember {
  let member: NSManagedObject
  let inverse: _PropertyKey
  let owner: NSManagedObject

  /// Drops the change of the other end, too, if it is still there: it would outlive the member's row, which others may write
  /// again, while this end follows them.
  func drop() {
    guard !member.isDetached, let slot = member.layout.slot(inverse),
      let state = member.relations?.toMany(slot.relationIndex),
      state.added.contains(owner) || state.removed.contains(owner)
    else { return }
    state.withdraw(owner)
    if let arrangement = state.forgetStored() { member.rearrange(arrangement, slot) }
  }
}
