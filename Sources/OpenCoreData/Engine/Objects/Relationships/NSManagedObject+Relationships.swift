import Foundation
import OpenCocoaFoundation

// Reading and changing relationships, with both ends kept in step.
extension NSManagedObject {
  /// The object's relationship states, made when the first relationship is walked.
  @inline(__always)
  final var relationStates: RelationStates {
    if let relations { return relations }
    let made = RelationStates(count: layout.relationCount)
    relations = made
    return made
  }

  @inline(__always)
  final func toManyState(_ relation: Int) -> ToManyState {
    let relations = relationStates
    if let state = relations.toMany(relation) { return state }
    let state = ToManyState(
      isOrdered: !layout.orderedSlots.isEmpty && layout.orderedSlots.contains { $0.relationIndex == relation })
    if state.keys == nil, self.state.contains(.hasNoRow) { state.keys = KeyArray.empty }
    relations.states[relation] = state
    return state
  }

  // MARK: To-one

  /// The member of a to-one relationship: maybe a fault, maybe nil.
  final func toOne(_ slot: PropertySlot) -> NSManagedObject? {
    if let cached = relations?.member(slot.relationIndex) { return cached }
    switch currentValue(slot) {
    case .object(let object): return object
    case .int:
      guard let snapshot, let object = storedMember(slot, snapshot) else { return nil }
      if !slot.inverseIsToMany, isHeldElsewhere(object, slot) { return nil }
      relationStates.states[slot.relationIndex] = object
      return object
    default: return nil
    }
  }

  /// The member that a row names.
  final func storedMember(_ slot: PropertySlot, _ row: Snapshot) -> NSManagedObject? {
    guard !row.isNull(slot.index), let table, let destination = slot.destination else { return nil }
    let key = row.int(slot.index)
    // Stored keys begin at 1; any other number is from a damaged file and leads to no object. A row that a child context
    // reads from its parent may have temporary keys, too.
    guard key > 0 || key < 0 && row.commit == 0 else { return nil }
    guard let context = table.context else { contextIsGone(slot) }
    let store = key > 0 ? memberStore : nil
    let number = slot.entityIndex >= 0 && !row.isNull(slot.entityIndex) ? Int(row.int(slot.entityIndex)) : nil
    let layout =
      number.map { context.objects.layout(number: $0, asked: destination.layout, store: store) } ?? destination.layout
    let object = context.objects.faultObject(key: key, layout: layout, store: store)
    if let faultBatch, object.faultBatch == nil, object.isFault, let store = table.store {
      // The members of objects that came together fire together.
      object.faultBatch = faultBatch.members(
        of: slot, layout: destination.layout, rows: store.rows.shard(self.layout.rootNumber),
        rootNumber: self.layout.rootNumber)
    }
    return object
  }

  /// The store that the permanent keys in the object's relationships belong to.
  @inline(__always)
  final var memberStore: NSPersistentStore? {
    guard let table else { return nil }
    return table.store ?? table.context.flatMap { KeyExchange(of: $0).homeStore(of: self) }
  }

  private final func contextIsGone(_ slot: PropertySlot) -> Never {
    raise(.objectInaccessible, "The relationship '\(slot.name)' of \(objectID) was read after its context was gone.")
  }

  /// Sets a to-one relationship and the other ends with it.
  final func setToOne(_ value: Any?, _ slot: PropertySlot) { setToOne(member: member(value, slot), slot) }

  /// The same for a member that has been checked.
  final func setToOne(member new: NSManagedObject?, _ slot: PropertySlot) {
    // Observers are told when both ends are in step.
    telling(slot, .setting) {
      let old = toOne(slot)
      if let old { old.readIfObserved(slot.inverse) }
      storeToOne(new, slot)
      // What turned out to be gone when it was read is a member of nothing.
      guard old !== new, state.isDisjoint(with: [.awakening, .inaccessible]) else { return }
      if let inverse = slot.inverse {
        old?.dropInverse(inverse, self, from: slot.key)
        new?.addInverse(inverse, self, from: slot.key)
      }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, old, new) }
    }
  }

  /// Keeps the member without telling the other end or observers.
  private final func storeToOne(_ new: NSManagedObject?, _ slot: PropertySlot) {
    store(new.map(StoredValue.object) ?? .null, slot)
    relationStates.states[slot.relationIndex] = new
  }

  /// Reads the members of an observed object before one of them is set to another object: its observers are told which
  /// member goes.
  @inline(__always)
  private final func readIfObserved(_ key: _PropertyKey?) {
    guard state.contains(.observed), let key else { return }
    let slot = requiredSlot(key)
    if slot.kind == .toMany { _ = members(slot) }
  }

  // MARK: The other end

  /// `other` now points here by the inverse of `key`.
  /// - Parameter source: the relationship by which it points here, where the inverse of `key` may be another one.
  final func addInverse(_ key: _PropertyKey, _ other: NSManagedObject, from source: _PropertyKey? = nil) {
    let slot = requiredSlot(key)
    if slot.kind == .toMany {
      if slot.inverseIsToMany { forgetIfOutdated(slot, other, isMember: false) }
      if slot.isOrdered, slot.inverseIsToMany { readBeforeAdding(other, slot) }
      enterEvent()
      tellingMember(slot, .union, other) {
        let isNew = toManyState(slot.relationIndex).add(other)
        // The members may have been read before the other's row was, and may contain it already. A save has to check that
        // this object still exists.
        if isNew || !slot.inverseIsToMany { markChanged() }
        if isNew, slot.hasFurtherEnds { tellFurtherEnds(slot, nil, other, besides: source) }
      }
    } else {
      var previous = toOne(slot)
      if previous === other, isOutdated(for: other, slot) {
        takePresentRow()
        previous = toOne(slot)
      }
      guard previous !== other else { return }
      previous?.readIfObserved(slot.inverse)
      telling(slot, .setting) {
        storeToOne(other, slot)
        if let back = slot.inverse { previous?.dropInverse(back, self, from: slot.key) }
        if slot.hasFurtherEnds {
          tellFurtherEnds(slot, previous, nil)
          tellFurtherEnds(slot, nil, other, besides: source)
        }
      }
    }
  }

  /// `other` no longer points here by the inverse of `key`.
  /// - Parameter source: the relationship by which it pointed here, where the inverse of `key` may be another one.
  final func dropInverse(_ key: _PropertyKey, _ other: NSManagedObject, from source: _PropertyKey? = nil) {
    let slot = requiredSlot(key)
    if slot.kind == .toMany {
      if slot.inverseIsToMany { forgetIfOutdated(slot, other, isMember: true) }
      enterEvent()
      tellingMember(slot, .minus, other) {
        guard toManyState(slot.relationIndex).remove(other) else { return }
        markChanged()
        if slot.hasFurtherEnds { tellFurtherEnds(slot, other, nil, besides: source) }
      }
    } else {
      bringUpToDate(for: other, slot)
      if !slot.inverseIsToMany, leads(to: other, by: slot) == true {
        // `other` has been set already, and does not count as the member that the row names any more.
        relationStates.states[slot.relationIndex] = other
      }
      guard toOne(slot) === other else { return writeHeldEnd(of: other, slot) }
      telling(slot, .setting) {
        storeToOne(nil, slot)
        if slot.hasFurtherEnds { tellFurtherEnds(slot, other, nil, besides: source) }
      }
    }
  }

  // MARK: To-many

  /// The members of a to-many relationship, in their order if they have one, read now if it is a fault.
  final func members(_ slot: PropertySlot) -> ContiguousArray<NSManagedObject> {
    checkQueue(slot.name)
    let state = toManyState(slot.relationIndex)
    if state.untyped != nil { followLooseMembers(slot, state) }
    if let members = state.members { return members }
    guard let destination = slot.destination else { return [] }
    if let order = state.order { return orderedMembers(slot, state, order) }
    var members: ContiguousArray<NSManagedObject> = []
    if let keys = storedKeys(slot, state), !keys.keys.isEmpty {
      guard let context = table?.context else { contextIsGone(slot) }
      members = context.objects.faults(keys, of: slot, self, layout: destination.layout, store: memberStore)
      matchMembers(members, slot, state)
      if !state.removed.isEmpty { members.removeAll(where: state.removed.contains) }
      if !state.added.isEmpty {
        members.append(contentsOf: state.added.filter { !keys.contains($0.key) })
      }
    } else {
      if state.wasForgotten { matchMembers([], slot, state) }
      members = ContiguousArray(state.added)
    }
    state.members = members
    return members
  }

  /// The members that the store has, without the changes since.
  final func storedMembers(_ slot: PropertySlot) -> ContiguousArray<NSManagedObject> {
    guard let keys = storedKeys(slot, toManyState(slot.relationIndex)), !keys.keys.isEmpty,
      let destination = slot.destination
    else { return [] }
    guard let context = table?.context else { contextIsGone(slot) }
    return context.objects.faults(keys, of: slot, self, layout: destination.layout, store: memberStore)
  }

  /// The stored members' keys, read now if the relationship is a fault.
  final func storedKeys(_ slot: PropertySlot, _ state: ToManyState) -> KeyArray? {
    if let keys = state.keys { return keys }
    if self.state.contains(.hasNoRow) { return KeyArray.empty }
    guard let context = table?.context else { contextIsGone(slot) }
    if key <= 0, context.parentContext == nil { return KeyArray.empty }
    let keys = FaultReader(of: context).relationKeys(of: self, slot)
    state.keys = keys
    return keys
  }

  /// Adds a member to a to-many relationship, and this object to the other end.
  final func addMember(_ object: NSManagedObject, _ slot: PropertySlot) {
    checkMember(object, slot)
    followBeforeChange(slot)
    if slot.isOrdered { readBeforeAdding(object, slot) }
    enterEvent()
    tellingMember(slot, .union, object) {
      let isNew = toManyState(slot.relationIndex).add(object)
      guard isNew || saysOtherwise(object, slot, isMember: true) else { return }
      markChanged()
      if state.contains(.awakening) { return }
      if let inverse = slot.inverse { object.addInverse(inverse, self, from: slot.key) }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, nil, object) }
    }
  }

  /// Removes a member from a to-many relationship, and this object from the other end.
  final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot) {
    checkMember(object, slot)
    followBeforeChange(slot)
    if toManyState(slot.relationIndex).keys == nil { _ = members(slot) }
    enterEvent()
    tellingMember(slot, .minus, object) {
      let isMember = toManyState(slot.relationIndex).remove(object)
      guard isMember || saysOtherwise(object, slot, isMember: false) else { return }
      markChanged()
      if state.contains(.awakening) { return }
      if let inverse = slot.inverse {
        object.dropInverse(inverse, self, from: slot.key)
        if slot.inverseIsToMany, !toManyState(slot.relationIndex).removed.contains(object) {
          object.forgetRemoval(of: self, inverse)
        }
      }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, object, nil) }
    }
  }

  /// Called when `other` has lost this object as a member that it had only been given here, which this end cannot tell while its
  /// stored members are unread: it would take away what others relate later.
  private final func forgetRemoval(of other: NSManagedObject, _ key: _PropertyKey) {
    guard let slot = layout.slot(key), let state = relations?.toMany(slot.relationIndex) else { return }
    if state.keys == nil { state.removed.remove(other) }
  }

  /// Whether a member's own end of a to-one inverse contradicts `isMember`: the members may have been read before the
  /// member's row.
  private final func saysOtherwise(_ object: NSManagedObject, _ slot: PropertySlot, isMember: Bool) -> Bool {
    guard let inverse = slot.inverse, !slot.inverseIsToMany, !object.isUnread else { return false }
    return (object.toOne(object.requiredSlot(inverse)) === self) != isMember
  }

  /// Replaces the members of a to-many relationship: relates the new ones, unrelates the missing ones. A set brings no
  /// order: members of an ordered relationship that stay keep theirs.
  final func setToMany(_ value: Any?, _ slot: PropertySlot) {
    let members = Self.collection(value, slot, entity: layout.name)
    if slot.isOrdered, !Self.isSet(value) { setOrder(members, slot) } else { replaceMembers(members, slot) }
  }

  final func replaceMembers(_ wanted: ContiguousArray<NSManagedObject>, _ slot: PropertySlot) {
    followBeforeChange(slot)
    // Observers are told once of the whole change, not of each member.
    telling(slot, .setting) {
      let current = members(slot)
      enterEvent()
      if !current.isEmpty {
        let kept = Set(wanted)
        for object in current where !kept.contains(object) { removeMember(object, slot) }
      }
      for object in wanted { addMember(object, slot) }
      markChanged()
    }
  }
}
