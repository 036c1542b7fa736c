import Foundation
import OpenCocoaFoundation

// Merges deletions: how objects of the context change when another context has deleted their rows.
extension MergeRun {
  /// Marks the context's objects with these IDs as deleted; the next save has nothing to do for them. Their rows are
  /// looked for first: a row may still exist, because its deletion is pending here, or because it has been written again.
  mutating func mergeDeletions(_ ids: [NSManagedObjectID]) {
    if !ids.isEmpty { Notifier(of: context).tellObservers { $0.contextWillMerge(deletions: ids) } }
    forgetMembers(ids)
    // Objects that have turned out to be gone before may have been related since.
    let known = context.changed.hasGone ? ids.compactMap { context.registeredObject(for: $0) } : []
    defer { dropReferences(to: merged.deleted.union(known.filter { $0.state.contains(.inaccessible) })) }
    let objects = ids.compactMap { context.registeredObject(for: $0) }.filter { object in
      // A merge does not delete unsaved objects: no store has their rows, whether they were made here or pushed by a child.
      // In a child, an object that the parent has not saved is gone if the parent has it no more.
      (object.key > 0 || context.parentContext != nil) && object.state.isDisjoint(with: [.inaccessible, .inserted])
    }
    if objects.isEmpty { return }
    let present = presentObjects(among: objects)
    for object in objects {
      guard present.contains(object) else {
        mergeDeletion(of: object)
        continue
      }
      if object.isFault || object.state.contains(.deleted) { continue }
      context.refresh(object, mergeChanges: true)
      merged.refreshed.insert(object.objectID)
    }
  }

  /// Makes owners that have read members among these read their members anew, since others may not have told that the
  /// owners have lost them. This looks at all registered owners that have read members.
  private func forgetMembers(_ ids: [NSManagedObjectID]) {
    var groups: [ObjectIdentifier: (entity: NSEntityDescription, keys: Set<Int64>)] = [:]
    for id in ids where id.key != 0 {
      groups[ObjectIdentifier(id.entity), default: (id.entity, [])].keys.insert(id.key)
    }
    for (entity, keys) in groups.values {
      for slot in context.objects.localLayout(entity).slots where slot.kind.isRelationship && !slot.isTransient {
        let lists = slot.lists
        guard !lists.isEmpty, let destination = slot.destination?.layout else { continue }
        // A key of another store costs no more than reading again. Members with temporary keys may have stored owners.
        for owner in context.identityMaps.objects(of: destination.rootNumber) where owner.relations != nil {
          for inverse in lists {
            guard let back = owner.layout.slot(inverse), let state = owner.relations?.toMany(back.relationIndex),
              let known = state.keys, known.containsAny(of: keys)
            else { continue }
            owner.noteRefresh()
            owner.telling(back, .setting) {
              if let arrangement = state.forgetStored() { owner.rearrange(arrangement, back) }
            }
          }
        }
      }
    }
  }

  /// The objects that have rows now; an object whose row cannot be read counts as present.
  private func presentObjects(among objects: [NSManagedObject]) -> Set<NSManagedObject> {
    if context.parentContext != nil {
      return Set(
        objects.filter { object in
          do { return try FaultReader(of: context).rowNow(object) != nil } catch { return true }
        })
    }
    var present: Set<NSManagedObject> = []
    for group in Dictionary(grouping: objects, by: { ObjectIdentifier($0.layout) }).values {
      for part in Dictionary(grouping: group, by: { $0.table?.store.map { ObjectIdentifier($0) } }).values {
        guard let store = part[0].table?.store else { continue }
        let keys = ContiguousArray(part.map(\.key))
        guard
          let rows = try? store.readRows(
            keys, layout: part[0].layout, transaction: context.reads.transaction(on: store)
          )
          .rows
        else {
          present.formUnion(part)
          continue
        }
        let found = Set(rows.map(\.primaryKey))
        present.formUnion(part.filter { found.contains($0.key) })
      }
    }
    return present
  }

  private mutating func mergeDeletion(of object: NSManagedObject) {
    // A fault has no values any more, so the hook could only read nothing.
    if !object.isFault, !object.state.contains(.deleted) { object.prepareForDeletion() }
    object.enterEvent()
    if object.isFault {
      object.changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    }
    object.state.formUnion([.deleted, .deletionPropagated, .inaccessible, .hasNoRow])
    object.state.subtract([.updated, .changedInEvent])
    context.list(object)
    context.changed.noteGone()
    merged.deleted.insert(object)
  }

  /// Changes made here that refer to objects which are gone would keep the next save from succeeding.
  private func dropReferences(to gone: Set<NSManagedObject>) {
    if gone.isEmpty { return }
    for object in context.changed where !object.state.contains(.deleted) {
      guard object.changes != nil || object.relations != nil else { continue }
      for slot in object.layout.slots where slot.kind.isRelationship && !slot.isTransient {
        if slot.kind == .toOne {
          if case .object(let member)? = object.changedValue(slot), gone.contains(member) { object.setToOne(nil, slot) }
        } else if let state = object.relations?.states[slot.relationIndex] as? ToManyState {
          for member in state.added.intersection(gone) { object.removeMember(member, slot) }
        }
      }
    }
  }
}

extension NSManagedObject {
  /// Turns an object that counted as gone back into a fault.
  final func revive() {
    tellingAll {
      state.subtract([.hasNoRow, .inaccessible, .deleted, .deletionPropagated, .updated, .changedInEvent])
      snapshot = nil
      changes = nil
      relations = nil
      faultBatch = nil
    }
  }
}
