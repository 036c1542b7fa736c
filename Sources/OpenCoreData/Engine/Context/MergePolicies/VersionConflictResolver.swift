import Foundation
import OpenCocoaFoundation

/// Merges objects with the rows that other contexts have written since the objects were read, by a type of merge
/// policy. The object's own changes are taken back, the new row is taken, and the changes that the policy keeps are set
/// again: so the other ends of relationships follow the changes of both sides.
struct VersionConflictResolver {
  let type: NSMergePolicyType

  init(_ type: NSMergePolicyType) { self.type = type }

  /// An object and its present row, which is nil if the row is gone.
  private struct Item {
    let object: NSManagedObject
    let row: Snapshot?
    /// Whether the object was inserted under a key whose row others have made, too.
    let isReturned: Bool
  }

  func resolve(_ list: [NSMergeConflict]) throws {
    let contexts = Dictionary(grouping: list) { $0.sourceObject.managedObjectContext.map(ObjectIdentifier.init) }
    for conflicts in contexts.values {
      guard let context = conflicts[0].sourceObject.managedObjectContext else { continue }
      try resolve(conflicts, MergedObjects(context))
    }
  }

  private func resolve(_ conflicts: [NSMergeConflict], _ merged: MergedObjects) throws {
    merged.context.reads.advance()
    // A program may resolve its own conflicts while the context reads at an older commit.
    merged.context.reads.end()
    let items = try items(conflicts, merged.context)
    defer { merged.finish() }
    // Partners that hold an object whose former row alone agreed with them.
    merged.context.merger.beginCollecting()
    defer { merged.context.merger.endCollecting(in: merged.context) }
    for item in items { merged.willMerge(item.object) }
    // Objects whose rows are gone come first: no merged object may refer to them.
    let gone = items.filter { $0.row == nil }
    let returning = gone.filter { type == .overwriteMergePolicyType && $0.object.isUpdated }
    let left = gone.map(\.object).filter { object in !returning.contains { $0.object === object } }
    merged.forgetOwners(of: gone.map(\.object))
    for item in gone { merged.refreshMembers(of: item.object) }
    for object in left { object.leaveWithRow(merged) }
    ChangeRun(in: merged.context).dropReferences(to: left)
    var deleted: [Item] = [], changed: [Item] = []
    for item in items where item.row != nil {
      if item.object.isDeleted { deleted.append(item) } else { changed.append(item) }
    }
    for item in changed where item.isReturned {
      if let row = item.row { item.object.meet(row, setValuesOnly: type != .overwriteMergePolicyType, merged) }
    }
    for item in deleted { deleteOrKeep(item, merged) }
    let existing = try ExistingRows(returning + changed, type, merged.context)
    var wanted: [(object: NSManagedObject, slot: PropertySlot, member: NSManagedObject)] = []
    for item in returning {
      item.object.returnToStore {
        existing.contains($0)
      } keep: {
        wanted.append((item.object, $0, $1))
        merged.refresh($1)
      }
    }
    // The new members are noted before any change is taken back: taking back changes other ends, which may be in
    // conflict, too.
    let ours = changed.map { members($0) }
    for item in changed { item.object.noteHeldPartners() }
    var kept: [(object: NSManagedObject, slot: PropertySlot, member: NSManagedObject?)] = []
    for (item, members) in zip(changed, ours) {
      merge(item, members, existing, merged) { kept.append((item.object, $0, $1)) }
    }
    try merged.update()
    for item in returning { item.object.rejoinOwners() }
    let lost = try lostMembers(kept.compactMap { $0.slot.inverse == nil ? nil : $0.member }, merged.context)
    for (object, slot, member) in kept {
      if let member, member.isDetached || member.isDeleted || lost.contains(member) { continue }
      if object.toOne(slot) !== member {
        object.setToOne(member, slot)
      } else if member == nil {
        object.loseStoredMember(slot)
      }
    }
    for (object, slot, member) in wanted where !member.isDetached && !member.isDeleted {
      guard let inverse = slot.inverse, let back = member.layout.slot(inverse) else { continue }
      // A former member may hold the object unsaved, where the lost row alone agreed.
      let other = member.toOne(back)
      if other == nil || other === object { object.setToOne(member, slot) }
    }
    try merged.matchEnds()
  }

  /// The objects whose rows are gone, of those that the save does not write: their own ends say already that they are related,
  /// so that the save would not find out.
  private func lostMembers(
    _ members: [NSManagedObject], _ context: NSManagedObjectContext
  ) throws -> Set<NSManagedObject> {
    var lost = Set(members.filter { $0.key > 0 && !$0.isPending && !$0.isDetached && !$0.state.contains(.hasNoRow) })
    for group in Dictionary(grouping: lost, by: { RowKind($0) }).values {
      guard let store = group[0].table?.store else { continue }
      let rows = try store.readRows(
        ContiguousArray(group.map(\.key)), layout: group[0].layout, transaction: context.reads.transaction(on: store)
      ).rows
      let present = Set(rows.map(\.primaryKey))
      lost.subtract(group.filter { present.contains($0.key) })
    }
    return lost
  }

  /// The objects in conflict, without those that have been brought up to date already, as a subclass of the policy may
  /// have done.
  private func items(_ conflicts: [NSMergeConflict], _ context: NSManagedObjectContext) throws -> [Item] {
    var items: [Item] = []
    var known: Set<ObjectIdentifier> = []
    for conflict in conflicts {
      let object = conflict.sourceObject
      guard !object.isDetached, !object.state.contains(.inaccessible), known.insert(ObjectIdentifier(object)).inserted
      else { continue }
      let row = conflict.isFound ? conflict.row : try FaultReader(of: context).latestRow(of: object)
      if let row, let read = object.snapshot {
        if row === read || conflict.isFound && row.version <= read.version { continue }
      }
      items.append(Item(object: object, row: row, isReturned: object.state.contains(.inserted)))
    }
    return items
  }

  // MARK: Deleted here, changed by others

  private func deleteOrKeep(_ item: Item, _ merged: MergedObjects) {
    switch type {
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      // The delete rules are applied again, also to members that others have related meanwhile; values that were set
      // before the deletion are dropped.
      for slot in item.object.layout.slots where slot.kind == .toOne && !slot.isTransient {
        item.object.withdraw(slot, merged)
      }
      item.object.snapshot = item.row
      item.object.forgetUnchangedRelations()
    default: item.object.undoDeletion(item.row, merged)
    }
  }

  // MARK: Changed on both sides

  /// The new members of the to-one relationships that were changed here, by the slot's index.
  private func members(_ item: Item) -> [Int: NSManagedObject?] {
    guard item.object.changes != nil else { return [:] }
    var result: [Int: NSManagedObject?] = [:]
    for (place, slot) in item.object.layout.slots.enumerated() where slot.kind == .toOne && !slot.isTransient {
      if item.object.changedValue(slot, untracked: true) != nil { result[place] = .some(item.object.toOne(slot)) }
    }
    return result
  }

  private func merge(
    _ item: Item, _ members: [Int: NSManagedObject?], _ existing: ExistingRows, _ merged: MergedObjects,
    keep: (PropertySlot, NSManagedObject?) -> Void
  ) {
    let object = item.object
    guard let new = item.row else { return }
    guard let old = object.snapshot else { return object.snapshot = new }
    // All values of an object that has come back are in conflict.
    let isGivenUp = item.isReturned && type == .mergeByPropertyStoreTrumpMergePolicyType
    let type = object.hasChanges && !isGivenUp ? type : .rollbackMergePolicyType
    for (place, slot) in object.layout.slots.enumerated()
    where !slot.isTransient && !slot.isElement && slot.kind != .toMany
      && !(slot.property is NSDerivedAttributeDescription)
    {
      let holders = object.holders(of: slot)
      let isTheirs = holders.contains {
        !StoredValue.read($0, from: old).isSame(as: .read($0, from: new))
          || old.unread($0.index)?.name != new.unread($0.index)?.name
      }
      if slot.kind == .toOne {
        mergeToOne(object, slot, old, new, ours: members[place], isTheirs: isTheirs, type, existing, merged, keep: keep)
      } else {
        let isOurs = holders.contains { object.changedValue($0, untracked: true) != nil }
        mergeAttribute(object, holders, old, isOurs: isOurs, isTheirs: isTheirs, type)
      }
    }
    if type == .rollbackMergePolicyType { object.dropMemberChanges(merged) }
    noteMembers(of: object, type, merged)
    object.snapshot = new
    if type == .rollbackMergePolicyType {
      object.changes = object.transientValues()
      // The object stays updated while it has changed members: members whose rows name it as their owner still have to be
      // put in order, and to be noted as stored.
      if !object.hasMemberChanges { object.state.subtract([.updated, .changedInEvent]) }
    }
  }

  private func mergeAttribute(
    _ object: NSManagedObject, _ holders: [PropertySlot], _ old: Snapshot, isOurs: Bool, isTheirs: Bool,
    _ type: NSMergePolicyType
  ) {
    // A value that was set to the old row's value must not count as a change of the new row's.
    if !isOurs { for slot in holders { object.unset(slot) } }
    switch type {
    case .mergeByPropertyStoreTrumpMergePolicyType:
      if isOurs, isTheirs { for slot in holders { object.unset(slot) } }
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      // All elements of a composite attribute are taken from the same side.
      guard isTheirs, isOurs || type == .overwriteMergePolicyType else { return }
      let changes = object.writableChanges()
      for slot in holders where changes.values[slot.index].isUnset {
        let value = StoredValue.read(slot, from: old)
        // A value that could not be read does not overwrite the stored one.
        if value.isNull, old.unread(slot.index) != nil { continue }
        changes.values[slot.index] = value
      }
    case .rollbackMergePolicyType, .errorMergePolicyType: for slot in holders { object.unset(slot) }
    }
  }

  private func mergeToOne(
    _ object: NSManagedObject, _ slot: PropertySlot, _ old: Snapshot, _ new: Snapshot, ours: NSManagedObject??,
    isTheirs: Bool,
    _ type: NSMergePolicyType, _ existing: ExistingRows, _ merged: MergedObjects,
    keep: (PropertySlot, NSManagedObject?) -> Void
  ) {
    object.withdraw(slot, merged)
    if isTheirs { noteOwners(object, slot, old, new, merged) }
    switch type {
    case .mergeByPropertyStoreTrumpMergePolicyType: if let ours, !isTheirs { keep(slot, ours) }
    case .mergeByPropertyObjectTrumpMergePolicyType: if let ours { keep(slot, ours) }
    case .overwriteMergePolicyType:
      if let ours {
        keep(slot, ours)
      } else if isTheirs {
        let before = object.storedMember(slot, old)
        if before.map(existing.contains) ?? true { keep(slot, before) }
      }
    case .rollbackMergePolicyType, .errorMergePolicyType: break
    }
    object.relations?.states[slot.relationIndex] = nil
  }

  /// Notes the other ends of a to-one relationship that another context has changed.
  private func noteOwners(
    _ object: NSManagedObject, _ slot: PropertySlot, _ old: Snapshot, _ new: Snapshot, _ merged: MergedObjects
  ) {
    guard let inverse = slot.inverse, let destination = slot.destination else { return }
    for row in [old, new] where !row.isNull(slot.index) && row.int(slot.index) > 0 {
      let store = object.table?.store
      guard let owner = merged.registered(row.int(slot.index), destination.layout, store),
        let back = owner.layout.slot(inverse)
      else { continue }
      if back.kind == .toMany { merged.forgetMembers(of: owner, back) } else { merged.refresh(owner) }
    }
  }

  /// Notes the object's own to-many relationships: their members are the store's, with the changes made here.
  private func noteMembers(of object: NSManagedObject, _ type: NSMergePolicyType, _ merged: MergedObjects) {
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient {
      merged.forgetMembers(of: object, slot, keepsOrder: type != .mergeByPropertyStoreTrumpMergePolicyType)
    }
  }

  /// The rows that still exist, of those that overwritten objects refer to again.
  private struct ExistingRows {
    private var keys: [Int: Set<Int64>] = [:]
    private var returning: Set<NSManagedObject> = []

    init(_ items: [Item], _ type: NSMergePolicyType, _ context: NSManagedObjectContext) throws {
      guard type == .overwriteMergePolicyType else { return }
      returning = Set(items.lazy.filter { $0.row == nil }.map(\.object))
      var groups: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
      for item in items {
        guard let old = item.object.snapshot else { continue }
        for slot in item.object.layout.slots where slot.kind == .toOne && !slot.isTransient {
          if let new = item.row, new.isNull(slot.index) == old.isNull(slot.index) {
            if new.isNull(slot.index) || new.int(slot.index) == old.int(slot.index) { continue }
          }
          let isOurs = item.row == nil && item.object.changedValue(slot, untracked: true) != nil
          let member = isOurs ? item.object.toOne(slot) : item.object.storedMember(slot, old)
          guard let member, member.key > 0 else { continue }
          groups[ObjectIdentifier(member.layout), default: []].append(member)
        }
      }
      for members in groups.values {
        guard let store = members[0].table?.store else { continue }
        let keys = ContiguousArray(Set(members.map(\.key)))
        let rows = try store.readRows(
          keys, layout: members[0].layout, transaction: context.reads.transaction(on: store)
        )
        .rows
        self.keys[members[0].layout.rootNumber, default: []].formUnion(rows.map(\.primaryKey))
      }
    }

    func contains(_ object: NSManagedObject) -> Bool {
      if object.isDeleted || object.isDetached { return false }
      if object.state.contains(.inserted) || returning.contains(object) { return true }
      return keys[object.layout.rootNumber]?.contains(object.key) ?? false
    }
  }
}
