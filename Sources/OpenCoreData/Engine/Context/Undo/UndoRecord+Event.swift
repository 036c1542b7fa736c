// Makes the record of an object at the end of an event: its state by the event's entry, compared with its present state.
extension UndoRecord {
  /// Gives nil for an object that was not changed. Reads the members of relationships as far as they are needed.
  /// - Parameter isOver: whether the event of the entry was ended before, by a fetch.
  init?(_ entry: ContextEvent.Entry, isOver: Bool = false) {
    let object = entry.object, now = object.state
    // The object has left the context, or its former values are not known. A fault may have had members added and removed.
    if !isOver && !now.contains(.inEvent) || now.contains(.inaccessible) || object.isUnread && now.contains(.deleted) {
      return nil
    }
    let isNew = now.contains(.inserted) && !entry.state.contains(.inserted)
    let wasThere = !isNew && !entry.state.contains(.deleted), isThere = !now.contains(.deleted)
    if !wasThere, !isThere { return nil }
    if wasThere, isThere, !isOver, !now.contains(.changedInEvent) { return nil }
    kind = wasThere ? isThere ? .update : .deletion : .insertion
    self.object = object
    wasClean = entry.state.isDisjoint(with: .anyChange)
    let image = entry.image
    values = Self.values(object, image, isNew: isNew)
    toManys = Self.toManys(object, image, isDeletion: kind == .deletion)
    whole = kind == .deletion ? Self.whole(object, image) : nil
  }

  // MARK: Attributes and to-ones

  private static func values(_ object: NSManagedObject, _ image: ObjectImage?, isNew: Bool) -> [Value] {
    var values: [Value] = []
    if object.isUnread { return values }
    let own = object.changes?.values, before = image?.values
    if own == nil, before == nil { return values }
    let untracked = object.changes?.untracked ?? []
    for (ordinal, slot) in object.layout.slots.enumerated() where slot.kind != .toMany && slot.kind != .composite {
      // Undoing an insertion removes the object from its context, so only changes that the other ends need are recorded.
      if isNew, slot.kind != .toOne { continue }
      if own?[slot.index].isUnset ?? true, before?[slot.index].isUnset ?? true { continue }
      // Values that were set through primitive accessors alone are not recorded.
      if untracked.contains(slot.index) { continue }
      let old = isNew ? .null : object.value(slot, own: before)
      let new = object.value(slot, own: own)
      // A value that cannot be read differs from null.
      let unread = !isNew && old.isNull ? object.unreadValue(slot, own: before) : nil
      if unread == nil, old.isSame(as: new) { continue }
      values.append(Value(ordinal: ordinal, value: old, unread: unread))
    }
    return values
  }

  private static func whole(_ object: NSManagedObject, _ image: ObjectImage?) -> Whole {
    var values = ContiguousArray(repeating: StoredValue.null, count: object.layout.valueCount)
    var members: [(Int, ContiguousArray<NSManagedObject>)] = []
    var unread: [(Int, UnreadValue)] = []
    for (ordinal, slot) in object.layout.slots.enumerated() where slot.kind != .composite {
      if slot.kind == .toMany {
        members.append((ordinal, membersBefore(object, slot, image?.toMany(slot))))
      } else {
        values[slot.index] = object.value(slot, own: image?.values)
        if values[slot.index].isNull, let value = object.unreadValue(slot, own: image?.values) {
          unread.append((slot.index, value))
        }
      }
    }
    return Whole(values: values, unread: unread, members: members)
  }

  // MARK: To-many relationships

  private static func toManys(_ object: NSManagedObject, _ image: ObjectImage?, isDeletion: Bool) -> [ToMany] {
    guard let relations = object.relations, object.layout.toManyCount > 0 else { return [] }
    var result: [ToMany] = []
    for (ordinal, slot) in object.layout.slots.enumerated() where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState else { continue }
      let before = image?.toMany(slot)
      guard before != nil || state.hasChanges else { continue }
      // If the other end is a to-one, the members' own records have the change. They do not have it for members that came
      // to an object which was deleted in the same event.
      if !slot.isOrdered, slot.inverse != nil, !slot.inverseIsToMany, !isDeletion { continue }
      let change =
        slot.isOrdered
        ? orderChange(object, slot, ordinal, before) : memberChange(object, slot, ordinal, state, before)
      if let change { result.append(change) }
    }
    return result
  }

  private static func memberChange(
    _ object: NSManagedObject, _ slot: PropertySlot, _ ordinal: Int, _ state: ToManyState, _ before: ObjectImage.ToMany?
  ) -> ToMany? {
    var gained: ContiguousArray<NSManagedObject> = [], lost: ContiguousArray<NSManagedObject> = []
    func isMember(_ member: NSManagedObject, _ added: Set<NSManagedObject>?, _ removed: Set<NSManagedObject>?) -> Bool {
      if added?.contains(member) == true { return true }
      return removed?.contains(member) != true && object.isStoredMember(member, slot, state)
    }
    let touched = state.added.symmetricDifference(before?.added ?? [])
      .union(state.removed.symmetricDifference(before?.removed ?? []))
    for member in touched {
      let was = isMember(member, before?.added, before?.removed)
      if was == isMember(member, state.added, state.removed) { continue }
      if was { lost.append(member) } else { gained.append(member) }
    }
    return gained.isEmpty && lost.isEmpty ? nil : ToMany(ordinal: ordinal, gained: gained, lost: lost, order: nil)
  }

  private static func orderChange(
    _ object: NSManagedObject, _ slot: PropertySlot, _ ordinal: Int, _ before: ObjectImage.ToMany?
  ) -> ToMany? {
    let now = object.members(slot)
    let old = membersBefore(object, slot, before)
    let (was, are) = differing(old, now)
    if was.isEmpty {
      return are.isEmpty ? nil : ToMany(ordinal: ordinal, gained: are, lost: [], order: nil)
    }
    let known = Set(was), kept = Set(are)
    let lost = ContiguousArray(was.filter { !kept.contains($0) })
    let keepsOrder = lost.isEmpty && are.lazy.filter(known.contains).elementsEqual(was, by: ===)
    return ToMany(
      ordinal: ordinal, gained: ContiguousArray(are.filter { !known.contains($0) }),
      lost: lost,
      order: keepsOrder ? nil : old)
  }

  /// The middle parts of two orders, without the beginning and the end that both have in common.
  private static func differing(
    _ old: ContiguousArray<NSManagedObject>, _ now: ContiguousArray<NSManagedObject>
  ) -> (old: ContiguousArray<NSManagedObject>, now: ContiguousArray<NSManagedObject>) {
    var start = 0
    while start < old.count, start < now.count, old[start] === now[start] { start += 1 }
    var oldEnd = old.count, nowEnd = now.count
    while oldEnd > start, nowEnd > start, old[oldEnd - 1] === now[nowEnd - 1] {
      oldEnd -= 1
      nowEnd -= 1
    }
    return (ContiguousArray(old[start..<oldEnd]), ContiguousArray(now[start..<nowEnd]))
  }

  /// All members that the relationship had before the event.
  private static func membersBefore(
    _ object: NSManagedObject, _ slot: PropertySlot, _ before: ObjectImage.ToMany?
  ) -> ContiguousArray<NSManagedObject> {
    if let members = before?.members { return members }
    let stored = object.storedMembers(slot)
    guard let before else { return stored }
    let known = Set(stored)
    return ContiguousArray(
      stored.filter { !before.removed.contains($0) } + before.added.filter { !known.contains($0) })
  }
}
