import Foundation
import OpenCocoaFoundation

// Undoing and redoing: an event that gives objects back the state before another event.
extension UndoRun {
  /// Puts objects back into the state before an event, as an event of its own.
  ///
  /// Both ends of a relationship have records, and yet both are kept in step here: so they are in step even if something
  /// that was not registered has changed since.
  func restore(_ records: ContiguousArray<UndoRecord>) {
    // Other actions of the same group may have changed objects.
    context.events.end(isSaving: false)
    fireForUndo(ContiguousArray(records.lazy.map(\.object).filter { $0.isUnread && has($0) }))
    var inserted: [(object: NSManagedObject, whole: UndoRecord.Whole)] = []
    for record in records where record.kind == .deletion {
      if let whole = bringBack(record) { inserted.append((record.object, whole)) }
    }
    for (object, whole) in inserted { fill(object, whole) }
    let fresh = Set(inserted.map(\.object))
    let present = records.filter { has($0.object) && isRealised($0.object) }
    let returned = Set(present.lazy.filter { $0.kind == .deletion }.map(\.object)).subtracting(fresh)
    for record in present where !fresh.contains(record.object) { restoreValues(record, returned) }
    for record in present where record.kind == .deletion {
      relate(record.object, isFresh: fresh.contains(record.object))
    }
    for record in present { restoreOrders(record) }
    for record in present where record.kind == .insertion { remove(record.object) }
    var dropped: [DroppedMember] = []
    let clean = present.filter { $0.kind != .insertion && $0.object.dropRestoredValues(&dropped) && $0.wasClean }
    for member in dropped { member.drop() }
    context.undoRecorder?.restored += present.map { ($0.object, $0.awakening) }
    context.events.end(isSaving: false)
    context.undoRecorder?.restored = []
    dropped = []
    // Observers have been told of the change, and nothing of it is left to be saved.
    for record in clean where record.object.state.intersection(.anyChange) == .updated {
      guard record.object.dropRestoredValues(&dropped) else { continue }
      record.object.state.remove(.updated)
      // The object has no entry in an event if the undo has found the former state in its place already.
      record.object.noteChangeOutsideOfEvent()
    }
    for member in dropped { member.drop() }
  }

  /// Whether the context has an object, and the next save does not delete it.
  private func has(_ object: NSManagedObject) -> Bool {
    object.table?.context === context && !object.state.contains(.deleted)
  }

  // MARK: Deleted objects

  /// Makes a deleted object one of the context's again.
  /// - Returns: the object's whole former state, if the object has to get it anew.
  private func bringBack(_ record: UndoRecord) -> UndoRecord.Whole? {
    let object = record.object
    if let other = object.table?.context, other !== context || !object.state.contains(.inaccessible) {
      // The object's deletion was not saved.
      if other === context { context.insert(object) }
      return nil
    }
    guard let whole = record.whole else { return nil }
    if !object.isDetached {
      // Another context has deleted the object meanwhile, too.
      context.delist(object)
      context.objects.unregister(object)
    }
    guard object.isDetached else { return nil }
    insertAgain(object)
    return whole
  }

  /// Registers an object that has left the context again, under the ID that it had.
  private func insertAgain(_ object: NSManagedObject) {
    let version = object.snapshot?.version ?? 0
    var store = object.table?.store
    if let place = store, context.persistentStoreCoordinator?.persistentStores.contains(place) != true { store = nil }
    var key = object.key
    var table = context.objects.table(for: object.layout, store: key > 0 ? store : nil)
    if key >= 0, store == nil || key == 0 || table.object(key) != nil {
      // The store is gone, the object had no key, or the context has another object with that ID by now.
      key = TemporaryKeys.make()
      table = context.objects.table(for: object.layout, store: nil)
      if let store { context.identityMaps.assign(object, to: store) }
    }
    object.snapshot = nil
    object.faultBatch = nil
    object.relations = nil
    table.register(object, key)
    object.state = object.state.intersection(.observed).union([.inserted, .hasNoRow])
    object.changes = ChangedValues.make(defaultsOf: object.layout)
    // The new row gets another version, so that contexts that have read the deleted row do not take the new one for it.
    object.changes?.formerVersion = version
    context.events.enterInsertion(object)
    context.list(object)
  }

  /// Gives an object that was inserted again its values and members, as far as these members are still there.
  private func fill(_ object: NSManagedObject, _ whole: UndoRecord.Whole) {
    object.tellingAll {
      let version = object.changes?.formerVersion ?? 0
      let changes = ChangedValues.make(whole.values)
      for (slot, value) in whole.unread { changes.values[slot] = value.value }
      changes.formerVersion = version
      object.changes = changes
      for slot in object.layout.slots where slot.kind == .toOne {
        guard case .object(let member) = changes.values[slot.index] else { continue }
        if has(member) {
          object.relationStates.states[slot.relationIndex] = member
        } else {
          changes.values[slot.index] = .null
        }
      }
      for (ordinal, members) in whole.members {
        let state = object.toManyState(object.layout.slots[ordinal].relationIndex)
        for member in members where has(member) { _ = state.add(member) }
      }
    }
  }

  /// Makes the other ends of an object's relationships lead to it again; ends that lead to another object now are left alone.
  /// - Parameter isFresh: whether the object was inserted again. Otherwise members that have to lead to it have records.
  private func relate(_ object: NSManagedObject, isFresh: Bool) {
    if isFresh { return relateEnds(of: object, isFresh: true) }
    for object in bringBackCascaded(with: object).reversed() {
      object.regainMembers()
      relateEnds(of: object, isFresh: false)
      for other in context.undoRecorder?.takeDeleted(relatedTo: object) ?? [] {
        ChangeRun(in: context).propagateAgain(other)
      }
    }
  }

  /// Applies the delete rule of a deleted object to one that comes back, which others have related to it meanwhile.
  /// - Returns: whether the object is deleted by this.
  private func applyDeleteRule(
    of other: NSManagedObject, to object: NSManagedObject, _ slot: PropertySlot, _ inverse: _PropertyKey
  ) -> Bool {
    switch other.layout.slot(inverse)?.relationship.deleteRule {
    case .cascadeDeleteRule:
      context.delete(object)
      // It comes back with the other one.
      context.undoRecorder?.noteCascaded(object)
      return true
    case .nullifyDeleteRule: object.dropInverse(slot.key, other, from: inverse)
    default: break
    }
    return false
  }

  private func relateEnds(of object: NSManagedObject, isFresh: Bool) {
    for slot in object.layout.slots where slot.kind == .toOne || isFresh && slot.kind == .toMany {
      guard let inverse = slot.inverse else { continue }
      if slot.kind == .toOne, !slot.inverseIsToMany { object.regainPartner(slot, inverse) }
      let members = slot.kind == .toOne ? object.toOne(slot).map { [$0] } ?? [] : object.members(slot)
      if !slot.inverseIsToMany { fireForUndo(ContiguousArray(members.filter(\.isUnread))) }
      for member in members {
        if !isFresh, member.state.isSuperset(of: [.deleted, .deletionPropagated]) {
          if applyDeleteRule(of: member, to: object, slot, inverse) { return }
          continue
        }
        if !slot.inverseIsToMany {
          let current = isRealised(member) ? member.toOne(member.requiredSlot(inverse)) : member
          if current != nil, current !== object {
            object.dropInverse(slot.key, member)
            continue
          }
        }
        member.addInverse(inverse, object, from: slot.key)
      }
    }
  }

  /// Brings members back that delete rules have deleted when a merge related them to the object, and the members of these:
  /// along a chain of objects there may be any number.
  /// - Returns: the object and those that have come back with it, the nearest first.
  private func bringBackCascaded(with object: NSManagedObject) -> [NSManagedObject] {
    guard let undoRecorder = context.undoRecorder, undoRecorder.hasCascaded else { return [object] }
    var found = [object]
    var place = 0
    while place < found.count {
      let owner = found[place]
      place += 1
      for slot in owner.layout.slots where slot.kind.isRelationship && !slot.isTransient {
        guard slot.relationship.deleteRule == .cascadeDeleteRule else { continue }
        let state = slot.kind == .toMany ? owner.relations?.toMany(slot.relationIndex) : nil
        let stored: ContiguousArray<NSManagedObject> =
          if slot.kind == .toOne {
            owner.snapshot.flatMap { owner.storedMember(slot, $0) }.map { [$0] } ?? []
          } else {
            state == nil ? [] : owner.storedMembers(slot)
          }
        for member in stored where undoRecorder.takeCascaded(member) {
          context.insert(member)
          if let state, state.removed.contains(member) { state.withdraw(member) }
          found.append(member)
        }
      }
    }
    return found
  }

  // MARK: Values

  /// - Parameter returned: The objects whose unsaved deletions are undone: their own lists have kept their members.
  private func restoreValues(_ record: UndoRecord, _ returned: Set<NSManagedObject>) {
    let object = record.object
    for (ordinal, value) in record.values.lazy.map({ ($0.ordinal, $0.value) }) {
      let slot = object.layout.slots[ordinal]
      if slot.kind == .toOne {
        var member: NSManagedObject?
        if case .object(let known) = value, has(known) { member = known }
        if object.toOne(slot) !== member { object.setToOne(member, slot) }
      } else if !object.value(slot, own: object.changes?.values).isSame(as: value) {
        let told = slot.isElement ? object.layout.slot(named: slot.name.keysOfPath[0]) ?? slot : slot
        object.telling(told, .setting) { object.store(value, slot) }
      }
    }
    for change in record.toManys {
      let slot = object.layout.slots[change.ordinal]
      for member in change.gained {
        object.dropInverse(slot.key, member)
        if let inverse = slot.inverse, has(member), isRealised(member) {
          member.dropInverse(inverse, object, from: slot.key)
        }
      }
      for member in change.lost where has(member) && isRealised(member) {
        if slot.isOrdered { object.readBeforeAdding(member, slot) }
        object.addInverse(slot.key, member)
        guard let inverse = slot.inverse, !returned.contains(member) || !member.lists(object, inverse) else { continue }
        member.addInverse(inverse, object, from: slot.key)
      }
    }
  }

  /// Restores the former order of the members of ordered relationships; other members come last.
  private func restoreOrders(_ record: UndoRecord) {
    let object = record.object
    for change in record.toManys {
      guard let order = change.order else { continue }
      let slot = object.layout.slots[change.ordinal]
      let current = object.members(slot)
      let known = Set(current), before = Set(order)
      let wanted = ContiguousArray(order.filter(known.contains) + current.filter { !before.contains($0) })
      if !wanted.elementsEqual(current, by: ===) { object.reorder(slot, .setting) { $0 = wanted } }
    }
  }

  // MARK: Inserted objects

  /// Removes an inserted object again. The delete rules apply to objects that were related to it since.
  private func remove(_ object: NSManagedObject) {
    for slot in object.layout.slots where slot.kind.isRelationship && slot.inverse == nil {
      // Only under the cascade rule are members of a relationship without inverse the object's own; other members stay.
      guard slot.relationship.deleteRule == .cascadeDeleteRule else { continue }
      if slot.kind == .toOne {
        object.setToOne(nil, slot)
      } else {
        for member in object.members(slot) { object.removeMember(member, slot) }
      }
    }
    object.enterEvent()
    object.state.insert(.deleted)
    context.event.noteDeletion(of: object)
    context.list(object)
  }
}

extension NSManagedObject {
  /// Whether a many-to-many relationship that was read has the object as a member.
  fileprivate final func lists(_ object: NSManagedObject, _ key: _PropertyKey) -> Bool {
    guard let slot = layout.slot(key), slot.kind == .toMany, slot.inverseIsToMany else { return false }
    return relations?.toMany(slot.relationIndex)?.contains(object) == true
  }
}

extension UndoRecord {
  /// The snapshot event that the object is told of when it is put back.
  fileprivate var awakening: NSSnapshotEventType {
    switch kind {
    case .insertion: .undoInsertion
    case .deletion: .undoDeletion
    case .update: .undoUpdate
    }
  }
}
