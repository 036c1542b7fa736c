import Foundation
import OpenCocoaFoundation

/// The objects that a resolver changes. It tells their observers once, and brings relationships whose other ends have
/// changed up to date, each once, however many objects are in conflict.
final class MergedObjects {
  let context: NSManagedObjectContext
  private var merged: ContiguousArray<NSManagedObject> = []
  private var told: ContiguousArray<NSManagedObject> = []
  private var touched: Set<NSManagedObject> = []
  private var outdated: [RelationPlace: OutdatedRelation] = [:]
  private var done: Set<RelationPlace> = []
  private var outdatedObjects: Set<NSManagedObject> = []

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Notes that an object is about to be merged; its class and its observers are told.
  func willMerge(_ object: NSManagedObject) {
    willChange(object)
    merged.append(object)
    if context.event.isEmpty { context.events.begin() }
    context.event.noteRefresh(of: object)
  }

  /// Notes that an object is about to change.
  func willChange(_ object: NSManagedObject) {
    guard touched.insert(object).inserted, object.state.contains(.observed) else { return }
    told.append(object)
    for name in object.observableNames { KeyValueObserving.willChange(object, name, .setting, isAutomatic: true) }
  }

  /// Notes that the stored members of a relationship have to be read anew.
  /// - Parameter keepsOrder: whether an order that was made here stays although another context has made another one.
  func forgetMembers(of owner: NSManagedObject, _ slot: PropertySlot, keepsOrder: Bool = true) {
    guard let state = owner.relations?.states[slot.relationIndex] as? ToManyState else { return }
    guard state.keys != nil || state.members != nil || state.hasChanges else { return }
    let place = RelationPlace(owner: ObjectIdentifier(owner), relation: slot.relationIndex)
    if done.contains(place) { return }
    willChange(owner)
    let keeps = keepsOrder && outdated[place]?.keepsOrder ?? true
    outdated[place] = (owner, slot, keeps)
  }

  /// Notes that an object without changes of its own has to take its row's present values.
  func refresh(_ object: NSManagedObject) {
    guard object.snapshot != nil, !object.hasChanges, outdatedObjects.insert(object).inserted else { return }
    willMerge(object)
  }

  /// Reads the noted relationships and objects anew, and those that turn out to be out of date by this.
  func update() throws {
    while !outdated.isEmpty {
      let relations = outdated.values.filter {
        !$0.owner.state.contains(.hasNoRow) || $0.owner.state.contains(.inserted)
      }
      done.formUnion(outdated.keys)
      outdated = [:]
      for group in Dictionary(grouping: relations, by: { RelationKind($0) }).values { try readMembers(group) }
    }
    let objects = outdatedObjects.filter { !$0.hasChanges && !$0.state.contains(.hasNoRow) }
    outdatedObjects = []
    if context.parentContext != nil {
      // The row of a child's object has what the parent holds unsaved.
      for object in objects { context.refresh(object, mergeChanges: true) }
      return
    }
    for group in Dictionary(grouping: objects, by: { RowKind($0) }).values { try readRows(ContiguousArray(group)) }
  }

  /// Reads one relationship's members for many owners with one statement.
  private func readMembers(_ relations: [OutdatedRelation]) throws {
    let slot = relations[0].slot
    var known: [(owner: NSManagedObject, state: ToManyState, before: KeyArray, keepsOrder: Bool)] = []
    var arrangements: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
    for (owner, _, keepsOrder) in relations {
      guard let state = owner.relations?.states[slot.relationIndex] as? ToManyState else { continue }
      let before = state.keys
      let arrangement = state.forgetStored()
      if owner.state.contains(.hasNoRow) {
        state.keys = KeyArray.empty
        if let arrangement { owner.rearrange(arrangement, slot) }
      } else if let before {
        known.append((owner, state, before, keepsOrder))
        arrangements[ObjectIdentifier(owner)] = arrangement
      } else if let arrangement, keepsOrder {
        owner.rearrange(arrangement, slot)
      }
    }
    if context.parentContext != nil {
      // A child reads its members through the parent when they are asked for, since the parent may have changed them.
      for (owner, _, _, keepsOrder) in known where keepsOrder {
        if let arrangement = arrangements[ObjectIdentifier(owner)] { owner.rearrange(arrangement, slot) }
      }
      return
    }
    guard let first = known.first?.owner, let store = first.table?.store else { return }
    let found = try store.readMembers(
      of: ContiguousArray(known.map(\.owner.key)), slot, layout: first.layout,
      transaction: context.reads.transaction(on: store))
    for (owner, state, before, keepsOrder) in known {
      guard let now = found[owner.key] else { continue }
      if state.keys == nil { state.keys = now }
      if let arrangement = arrangements[ObjectIdentifier(owner)], keepsOrder || !Self.isReordered(before, now) {
        owner.rearrange(arrangement, slot)
      }
      noteDifference(before, now, slot, store)
    }
  }

  /// Whether members that were there before are in a different order now.
  private static func isReordered(_ before: KeyArray, _ now: KeyArray) -> Bool {
    !before.keys.lazy.filter(now.contains).elementsEqual(now.keys.lazy.filter(before.contains))
  }

  /// Notes the other ends of members that were added or removed, since these have changed, too.
  private func noteDifference(_ before: KeyArray, _ now: KeyArray, _ slot: PropertySlot, _ store: NSPersistentStore) {
    guard let inverse = slot.inverse, let destination = slot.destination else { return }
    for key in Set(before.keys).symmetricDifference(now.keys) {
      guard let member = registered(key, destination.layout, store), let back = member.layout.slot(inverse) else {
        continue
      }
      if back.kind == .toMany { forgetMembers(of: member, back) } else { refresh(member) }
    }
  }

  private func readRows(_ objects: ContiguousArray<NSManagedObject>) throws {
    guard let store = objects[0].table?.store else { return }
    let keys = ContiguousArray(objects.map(\.key))
    let rows = try store.readRows(keys, layout: objects[0].layout, transaction: context.reads.transaction(on: store))
      .rows
    let byKey = Dictionary(rows.map { ($0.primaryKey, $0) }, uniquingKeysWith: { $1 })
    for object in objects {
      guard let row = byKey[object.key], row.fits(object) else { continue }
      // A value that was set to the old row's must not count as a change of the new row's.
      object.dropUnchangedValues()
      object.snapshot = row
      object.forgetUnchangedRelations()
    }
  }

  /// Makes both ends of one-to-one relationships lead to each other: a value that was set here and still stands wins over
  /// a value that an object has again from its row.
  func matchEnds() throws {
    for object in touched.sorted(by: { $0.key < $1.key }) where !object.isDeleted && !object.isDetached {
      for slot in object.layout.slots where slot.kind == .toOne && !slot.isTransient && !slot.inverseIsToMany {
        if let inverse = slot.inverse { matchEnd(of: object, slot, inverse) }
      }
    }
    try update()
  }

  private func matchEnd(of object: NSManagedObject, _ slot: PropertySlot, _ inverse: _PropertyKey) {
    // What the row names may belong to another object here.
    guard let member = object.toOne(slot) else { return object.loseStoredMember(slot) }
    guard let back = member.layout.slot(inverse), back.kind == .toOne else { return }
    let owner = member.toOne(back)
    if owner === object { return }
    let isSetHere = object.changes.map { !$0.values[slot.index].isUnset } ?? false
    let isSetThere = member.changes.map { !$0.values[back.index].isUnset } ?? false
    if isSetThere, !isSetHere || owner?.toOne(slot) === member {
      object.setToOne(nil, slot)
    } else if isSetHere {
      object.unset(slot)
      object.setToOne(nil, slot)
      object.setToOne(member, slot)
    } else {
      refresh(member)
    }
  }

  /// Tells the observers; objects that have no change left are not written.
  func finish() {
    for object in touched where object.state.contains(.updated) && !object.hasEdits {
      // What is left in it says the same as the row, and would hide a newer one.
      object.dropUnchangedValues()
      object.state.subtract([.updated, .changedInEvent])
    }
    // Members that were taken back at one end only are no change that a save tells of.
    if context.event.effects != nil {
      let changed = touched.filter { !$0.isDetached }.map(\.objectID)
      context.event.effects?.updated += changed
    }
    for object in merged where object.snapshot != nil && !object.isDeleted { object.awaken(from: .mergePolicy) }
    merged = []
    for object in told.reversed() {
      for name in object.observableNames.reversed() { KeyValueObserving.didChange(object, name) }
    }
    told = []
    touched = []
  }

  /// The object of a key, if the context has it.
  func registered(_ key: Int64, _ layout: EntityLayout, _ store: NSPersistentStore?) -> NSManagedObject? {
    context.objects.table(for: layout, store: store).object(key)
  }
}

private typealias OutdatedRelation = (owner: NSManagedObject, slot: PropertySlot, keepsOrder: Bool)

private struct RelationPlace: Hashable {
  let owner: ObjectIdentifier
  let relation: Int
}

/// The key that groups rows which one statement can read.
struct RowKind: Hashable {
  let layout: ObjectIdentifier
  let store: ObjectIdentifier?

  init(_ object: NSManagedObject) {
    layout = ObjectIdentifier(object.layout)
    store = object.table?.store.map(ObjectIdentifier.init)
  }
}

private struct RelationKind: Hashable {
  let row: RowKind
  let relation: Int

  init(_ relation: OutdatedRelation) {
    row = RowKind(relation.owner)
    self.relation = relation.slot.relationIndex
  }
}

extension NSManagedObject {
  fileprivate final var observableNames: [String] { layout.slots.filter { !$0.isElement }.map(\.name) }

  /// Whether the object has a value that differs from its row's, or that no row has.
  final var hasEdits: Bool {
    for slot in layout.slots where slot.kind != .composite {
      if slot.kind == .toMany {
        if (relations?.states[slot.relationIndex] as? ToManyState)?.hasChanges == true { return true }
      } else if slot.isTransient {
        if let value = changes?.values[slot.index], !value.isUnset { return true }
      } else if changedValue(slot, untracked: true) != nil {
        return true
      }
    }
    return false
  }

  /// Whether members were added to or removed from the object's relationships, or put in another order.
  final var hasMemberChanges: Bool {
    relations?.states.contains { ($0 as? ToManyState)?.hasChanges == true } ?? false
  }

  /// The slots that hold the values of an attribute or a to-one relationship: several for a composite attribute.
  final func holders(of slot: PropertySlot) -> [PropertySlot] { slot.kind == .composite ? leaves(of: slot) : [slot] }

  /// Takes back a value that was set: the row's value counts again.
  final func unset(_ slot: PropertySlot) {
    guard let changes else { return }
    changes.values[slot.index] = state.contains(.hasNoRow) ? .null : .unset
    changes.untracked.remove(slot.index)
    if slot.kind == .toOne { relations?.states[slot.relationIndex] = nil }
  }

  /// Takes back a new member of a to-one relationship, and the changes of the other ends that came with it.
  final func withdraw(_ slot: PropertySlot, _ merged: MergedObjects) {
    guard let changes, !changes.values[slot.index].isUnset else { return }
    var current: NSManagedObject?
    if case .object(let member) = changes.values[slot.index] { current = member }
    let before = committedMember(slot, merged)
    if let inverse = slot.inverse {
      if let current, let back = current.layout.slot(inverse) { current.withdraw(self, from: back, merged) }
      if let before, before !== current, let back = before.layout.slot(inverse) {
        before.withdraw(self, from: back, merged)
      }
    }
    unset(slot)
  }

  /// The member that the row names for a to-one relationship, if the context has that object.
  final func committedMember(_ slot: PropertySlot, _ merged: MergedObjects) -> NSManagedObject? {
    guard case .int(let key) = committedValue(slot), key > 0, let destination = slot.destination else { return nil }
    return merged.registered(key, destination.layout, table?.store)
  }

  /// Takes back the change of this object that came from a change of the relationship's other end.
  private final func withdraw(_ other: NSManagedObject, from slot: PropertySlot, _ merged: MergedObjects) {
    if slot.kind == .toMany {
      merged.forgetMembers(of: self, slot)
      (relations?.states[slot.relationIndex] as? ToManyState)?.withdraw(other)
      return
    }
    guard let changes, !changes.values[slot.index].isUnset else { return }
    merged.willChange(self)
    if case .object(let member) = changes.values[slot.index] {
      guard member === other else { return }
      // The owner that had lost this object to `other` gets it back.
      if let before = committedMember(slot, merged), let inverse = slot.inverse, let back = before.layout.slot(inverse),
        back.kind == .toOne, case .null? = before.changes?.values[back.index],
        case .int(key) = before.committedValue(back)
      {
        merged.willChange(before)
        before.unset(back)
      }
      unset(slot)
    } else if case .int(other.key) = committedValue(slot) {
      unset(slot)
    }
  }
}
