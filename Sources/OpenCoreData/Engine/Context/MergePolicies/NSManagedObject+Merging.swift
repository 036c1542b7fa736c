import Foundation
import OpenCocoaFoundation

// Merges an object whose row another context has deleted, or that was deleted here while another context changed it.
extension NSManagedObject {
  /// Follows the deletion of the object's row: the object is deleted and leaves the context, and nothing is written for it.
  ///
  /// No other object is deleted with it: objects that were related to it here are no longer related to it.
  final func leaveWithRow(_ merged: MergedObjects) {
    merged.willChange(self)
    enterEvent()
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      let lists = slot.lists
      if !lists.isEmpty {
        for member in knownMembers(slot, merged) {
          for back in lists.compactMap({ member.layout.slot($0) }) { merged.forgetMembers(of: member, back) }
        }
      }
      if slot.kind == .toOne {
        withdraw(slot, merged)
      } else if let state = relations?.states[slot.relationIndex] as? ToManyState {
        if let inverse = slot.inverse {
          for member in Array(state.added) where !member.isDetached {
            member.dropInverse(inverse, self, from: slot.key)
          }
          for member in Array(state.removed) where slot.inverseIsToMany {
            member.withdrawMember(self, inverse, merged)
          }
        }
      }
    }
    relations = nil
    snapshot = nil
    changes = ChangedValues.make(repeating: .null, layout.valueCount)
    state.subtract([.inserted, .updated])
    state.formUnion([.hasNoRow, .inaccessible, .deleted])
    table?.context?.list(self)
  }

  /// Makes the next save insert the object again with the ID that it had, and with all its values.
  /// - Parameters:
  ///   - exists: whether an object that the object refers to has a row.
  ///   - keep: takes the former members of one-to-one relationships, which may belong to other objects by now.
  final func returnToStore(
    _ exists: (NSManagedObject) -> Bool, keep: (PropertySlot, NSManagedObject) -> Void
  ) {
    guard let row = snapshot else { return }
    let changes = writableChanges()
    for slot in layout.slots where !slot.isTransient && slot.kind != .toMany && slot.kind != .composite {
      let isOurs = changedValue(slot, untracked: true) != nil
      if slot.kind == .toOne {
        let member = (isOurs ? toOne(slot) : storedMember(slot, row)).flatMap { exists($0) ? $0 : nil }
        if let member, !isOurs, slot.inverse != nil, !slot.inverseIsToMany {
          changes.values[slot.index] = .null
          keep(slot, member)
        } else {
          changes.values[slot.index] = member.map(StoredValue.object) ?? .null
        }
      } else if !isOurs {
        changes.values[slot.index] = StoredValue.read(slot, from: row)
      }
    }
    for index in changes.values.indices where changes.values[index].isUnset { changes.values[index] = .null }
    for slot in layout.slots where slot.kind.isRelationship {
      if slot.kind == .toOne {
        relations?.states[slot.relationIndex] = nil
      } else if let state = relations?.states[slot.relationIndex] as? ToManyState {
        // The stored members are gone with the row.
        _ = state.forgetStored()
        state.removed = []
        state.keys = KeyArray.empty
      }
    }
    // Others may have read the row that is gone, in later versions than this object has, so the new row gets a version that
    // none of them has read: their saves find the conflict.
    changes.formerVersion = row.version &+ 1_000
    snapshot = nil
    state.subtract([.updated, .changedInEvent])
    state.formUnion([.inserted, .hasNoRow])
  }

  /// Takes back the object's deletion and the effects of its delete rules, and gives it the values of its row.
  final func undoDeletion(_ row: Snapshot?, _ merged: MergedObjects) {
    guard state.contains(.deleted) else { return }
    merged.willMerge(self)
    enterEvent()
    state.subtract([.deleted, .deletionPropagated])
    let context = merged.context
    for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
      let rule = slot.relationship.deleteRule
      for member in knownMembers(slot, merged) where member.table?.context === context {
        if rule == .cascadeDeleteRule, member.state.contains(.deleted) { member.undoDeletion(nil, merged) }
        if let inverse = slot.inverse { member.undoNullify(self, inverse, merged) }
      }
      if slot.kind == .toOne { withdraw(slot, merged) } else { dropVoidMembers(slot, merged) }
    }
    dropMemberChanges(merged)
    for slot in layout.slots where slot.kind == .toMany { merged.forgetMembers(of: self, slot, keepsOrder: false) }
    if let row { snapshot = row }
    changes = transientValues()
    if !hasMemberChanges { state.subtract([.updated, .changedInEvent]) }
    for slot in layout.slots where slot.kind == .toOne { relations?.states[slot.relationIndex] = nil }
  }

  /// Takes back the nullification of to-one relationships whose members are deleted here, where another context has set
  /// another member meanwhile: the row's member counts again.
  final func dropOutdatedNullifications(_ row: Snapshot) {
    guard let changes, let context = table?.context else { return }
    for slot in layout.slots where slot.kind == .toOne && !slot.isTransient && !row.isNull(slot.index) {
      guard case .null = changes.values[slot.index], case .int(let old) = committedValue(slot),
        let destination = slot.destination
      else { continue }
      let members = context.objects.table(for: destination.layout, store: memberStore), new = row.int(slot.index)
      func isDeleted(_ key: Int64) -> Bool { members.object(key)?.state.contains(.deleted) ?? false }
      if old != new, isDeleted(old), !isDeleted(new) { unset(slot) }
    }
  }

  /// The members that the row had, as far as the context has them.
  private final func knownMembers(_ slot: PropertySlot, _ merged: MergedObjects) -> [NSManagedObject] {
    if slot.kind == .toOne { return committedMember(slot, merged).map { [$0] } ?? [] }
    guard let state = relations?.states[slot.relationIndex] as? ToManyState, let keys = state.keys,
      let destination = slot.destination
    else { return [] }
    return keys.keys.compactMap { merged.registered($0, destination.layout, table?.store) }
  }

  /// Forgets members that were added or removed here, and whose own ends say otherwise, when the object's deletion is taken back:
  /// the save that goes on would note them as stored, or as gone.
  ///
  /// The deletion has ended the relationship of members that were added here before. A child that saves a deletion removes the
  /// members at this end, too, whose rows count again.
  private final func dropVoidMembers(_ slot: PropertySlot, _ merged: MergedObjects) {
    guard let inverse = slot.inverse, !slot.inverseIsToMany, let state = relations?.toMany(slot.relationIndex) else {
      return
    }
    func leads(_ member: NSManagedObject) -> Bool? {
      member.layout.slot(inverse).flatMap { member.leads(to: self, by: $0) }
    }
    let added = state.added.filter { leads($0) != true }
    // The deletion of a member goes on, and with it the removal.
    let removed = state.removed.filter { !$0.isDetached && !$0.state.contains(.deleted) && leads($0) != false }
    if added.isEmpty, removed.isEmpty { return }
    merged.forgetMembers(of: self, slot)
    for member in added.union(removed) { state.withdraw(member) }
  }

  /// Takes back that the deletion of `other` has ended its relationship to this object.
  private final func undoNullify(_ other: NSManagedObject, _ key: _PropertyKey, _ merged: MergedObjects) {
    guard let slot = layout.slot(key) else { return }
    if slot.kind == .toMany { return withdrawMember(other, key, merged) }
    guard case .null? = changes?.values[slot.index], case .int(other.key) = committedValue(slot) else { return }
    merged.willChange(self)
    unset(slot)
  }

  /// Forgets the members that were added and removed here in relationships that have rows of their own.
  ///
  /// Where the other end is a to-one, the member's row says which object it belongs to, and a value that was set there stays.
  final func dropMemberChanges(_ merged: MergedObjects) {
    for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let state = relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges else { continue }
      merged.forgetMembers(of: self, slot, keepsOrder: false)
      guard slot.inverse == nil || slot.inverseIsToMany else {
        state.order?.arrangement = .none
        continue
      }
      let changed = state.added.union(state.removed)
      state.dropChanges()
      guard let inverse = slot.inverse else { continue }
      for member in changed where member !== self { member.withdrawMember(self, inverse, merged) }
    }
  }

  final func withdrawMember(_ member: NSManagedObject, _ key: _PropertyKey, _ merged: MergedObjects) {
    guard let slot = layout.slot(key), slot.kind == .toMany else { return }
    merged.forgetMembers(of: self, slot)
    (relations?.states[slot.relationIndex] as? ToManyState)?.withdraw(member)
  }
}

extension NSManagedObject {
  /// If the object was read before another context related it to `owner`, and `owner` has it as a member, takes the row's
  /// present values.
  @inline(__always)
  final func bringUpToDate(for owner: NSManagedObject, _ slot: PropertySlot) {
    if rowReference == nil, !state.contains(.hasNoRow) { fire() }
    if let rowReference, !hasChanges, owner.key > 0 {
      let row = rowReference.read { $0.isNull(slot.index) ? 0 : $0.int(slot.index) }
      if row != owner.key { readAnew(for: owner, slot) }
    }
  }

  private final func readAnew(for owner: NSManagedObject, _ slot: PropertySlot) {
    guard let context = table?.context, context.parentContext == nil, let store = table?.store else { return }
    let found = try? store.readRows([key], layout: layout, transaction: context.reads.transaction(on: store)).rows.first
    guard let row = found, row.fits(self), !row.isNull(slot.index), row.int(slot.index) == owner.key else { return }
    if context.event.isEmpty { context.events.begin() }
    context.event.noteRefresh(of: self)
    tellingAll {
      snapshot = row
      forgetUnchangedRelations()
    }
  }
}
