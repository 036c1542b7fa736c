import Foundation
import OpenCocoaFoundation

// Undoing and redoing: an event that gives objects what another event has taken from them.
extension UndoRun {
  /// Puts objects back into the state before an event, as an event of its own.
  ///
  /// Both ends of a relationship have records, and both are kept in step here all the same: so they are in step too where
  /// something has changed since that was not registered.
  func restore(_ records: ContiguousArray<UndoRecord>) {
    // Other actions of the same group may have changed something.
    context.events.end(isSaving: false)
    fireForUndo(ContiguousArray(records.lazy.map(\.object).filter { $0.isUnread && has($0) }))
    var inserted: [(object: NSManagedObject, whole: UndoRecord.Whole)] = []
    for record in records where record.kind == .deletion {
      if let whole = bringBack(record) { inserted.append((record.object, whole)) }
    }
    for (object, whole) in inserted { fill(object, whole) }
    let fresh = Set(inserted.map(\.object))
    let present = records.filter { has($0.object) && isRealised($0.object) }
    for record in present where !fresh.contains(record.object) { restoreValues(record) }
    for record in present where record.kind == .deletion {
      relate(record.object, isFresh: fresh.contains(record.object))
    }
    for record in present { restoreOrders(record) }
    for record in present where record.kind == .insertion { remove(record.object) }
    let clean = present.filter { $0.kind != .insertion && $0.object.dropRestoredValues() && $0.wasClean }
    context.undoRecorder?.restored += present.map { ($0.object, $0.awakening) }
    context.events.end(isSaving: false)
    context.undoRecorder?.restored = []
    // Observers have heard of the change; there is nothing left of it to be saved.
    for record in clean where record.object.state.intersection(.anyChange) == .updated {
      if record.object.dropRestoredValues() { record.object.state.remove(.updated) }
    }
  }

  /// Whether the context has an object, and the next save does not delete it.
  private func has(_ object: NSManagedObject) -> Bool {
    object.table?.context === context && !object.state.contains(.deleted)
  }

  // MARK: Deleted objects

  /// Makes a deleted object one of the context's again.
  /// - Returns: all that the object was, if it has to be given that anew.
  private func bringBack(_ record: UndoRecord) -> UndoRecord.Whole? {
    let object = record.object
    if let other = object.table?.context, other !== context || !object.state.contains(.inaccessible) {
      // Its deletion was not saved.
      if other === context { context.insert(object) }
      return nil
    }
    guard let whole = record.whole else { return nil }
    if !object.isDetached {
      // Meanwhile others have deleted it, too.
      context.delist(object)
      context.objects.unregister(object)
    }
    guard object.isDetached else { return nil }
    insertAgain(object)
    return whole
  }

  /// Gives an object that has left the context its place, under the ID that it had.
  private func insertAgain(_ object: NSManagedObject) {
    let version = object.snapshot?.version ?? 0
    var store = object.table?.store
    if let place = store, context.persistentStoreCoordinator?.persistentStores.contains(place) != true { store = nil }
    var key = object.key
    var table = context.objects.table(for: object.layout, store: key > 0 ? store : nil)
    if key >= 0, store == nil || key == 0 || table.object(key) != nil {
      // The context has another object with that ID by now.
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

  /// Gives an object that was inserted again its values and members, as far as these are there.
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

  /// Makes the other ends of an object's relationships point to it again; those that point elsewhere now are left alone.
  /// - Parameter isFresh: whether it was inserted again. Otherwise its members have records if they have to point to it.
  private func relate(_ object: NSManagedObject, isFresh: Bool) {
    for slot in object.layout.slots where slot.kind == .toOne || isFresh && slot.kind == .toMany {
      guard let inverse = slot.inverse else { continue }
      let members = slot.kind == .toOne ? object.toOne(slot).map { [$0] } ?? [] : object.members(slot)
      if !slot.inverseIsToMany { fireForUndo(ContiguousArray(members.filter(\.isUnread))) }
      for member in members {
        if !slot.inverseIsToMany {
          let current = isRealised(member) ? member.toOne(member.requiredSlot(inverse)) : member
          if current != nil, current !== object {
            object.dropInverse(slot.key, member)
            continue
          }
        }
        member.addInverse(inverse, object)
      }
    }
  }

  // MARK: Values

  private func restoreValues(_ record: UndoRecord) {
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
        if let inverse = slot.inverse, has(member), isRealised(member) { member.dropInverse(inverse, object) }
      }
      for member in change.lost where has(member) && isRealised(member) {
        if slot.isOrdered { object.readBeforeAdding(member, slot) }
        object.addInverse(slot.key, member)
        if let inverse = slot.inverse { member.addInverse(inverse, object) }
      }
    }
  }

  /// Puts the members that an ordered relationship had into their order; others come last.
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

  /// Takes an object out again. What refers to it by something that happened since follows the delete rules.
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

extension UndoRecord {
  /// The snapshot event that the object is told when it is put back.
  fileprivate var awakening: NSSnapshotEventType {
    switch kind {
    case .insertion: .undoInsertion
    case .deletion: .undoDeletion
    case .update: .undoUpdate
    }
  }
}
