import Foundation
import OpenCocoaFoundation

/// The changes that one save of a child makes in its parent. Every error is thrown while this value is made, before
/// anything has changed.
struct ParentPush {
  /// An object of the child, and the parent's object with the same ID.
  struct Pair {
    let own: NSManagedObject
    let there: NSManagedObject
  }

  let child: NSManagedObjectContext
  let parent: NSManagedObjectContext
  /// New to the parent: made there by `apply`.
  private var inserted: ContiguousArray<NSManagedObject> = []
  private var made: ContiguousArray<NSManagedObject> = []
  private(set) var updated: ContiguousArray<Pair> = []
  /// Those of `updated` that the parent deletes, because an earlier save has handed up a deletion that was taken back since.
  private var returned: ContiguousArray<Pair> = []
  private(set) var deleted: ContiguousArray<Pair> = []

  /// Faults of the parent that have got the rows which the child has read. A save that fails leaves them faults: the rows
  /// may be older than what the parent would read.
  private final class RealisedObjects { var objects: [NSManagedObject] = [] }
  private let realised = RealisedObjects()

  /// - Throws: 133000 for an object that the parent, or the store, does not have any more; 1550 for a reference to such
  ///   an object; errors of reading the rows.
  init(of child: NSManagedObjectContext, to parent: NSManagedObjectContext) throws {
    self.child = child
    self.parent = parent
    do { try gather() } catch {
      for object in realised.objects where !object.hasChanges { object.turnIntoFault() }
      throw error
    }
  }

  private mutating func gather() throws {
    var missing: ContiguousArray<NSManagedObject> = []
    for object in child.changed {
      let state = object.state
      if state.contains(.deleted) {
        guard state.isDisjoint(with: [.inserted, .inaccessible]) else { continue }
        if let there = try found(object), !there.state.contains(.deleted) {
          deleted.append(Pair(own: object, there: there))
        }
      } else if state.contains(.inserted) {
        KeyExchange(of: parent).match(with: child)
        if let there = AncestorLevel(parent).counterpart(of: object),
          !there.state.isDisjoint(with: [.inserted, .deleted]),
          !there.state.contains(.inaccessible)
        {
          // The object's deletion was handed up by an earlier save, and was taken back since.
          updated.append(Pair(own: object, there: there))
          if there.state.contains(.deleted) { returned.append(Pair(own: object, there: there)) }
        } else if let there = try kept(object) {
          updated.append(Pair(own: object, there: there))
        } else {
          inserted.append(object)
        }
      } else {
        if let there = try found(object), !there.state.contains(.deleted) {
          updated.append(Pair(own: object, there: there))
        } else {
          missing.append(object)
        }
      }
    }
    for object in inserted { try checkMembers(of: object) }
    for pair in updated { try checkMembers(of: pair.own) }
    // For an object whose changes were taken back, nothing would get lost.
    for object in missing where object.hasPersistentChangedValues { throw missingError(object) }
  }

  /// The parent's object for one that undoing has inserted again, if the parent still has its row: the parent has not saved
  /// the deletion, but taken it back.
  private func kept(_ object: NSManagedObject) throws -> NSManagedObject? {
    guard object.key > 0, let changes = object.changes, changes.formerVersion > 0 else { return nil }
    let there =
      AncestorLevel(parent).counterpart(of: object)
      ?? parent.objects.faultObject(key: object.key, layout: object.layout, store: object.table?.store)
    if there.state.contains(.inaccessible) { return nil }
    if there.isUnread {
      guard let row = try FaultReader(of: parent).rowNow(there) else { return nil }
      FaultReader(of: parent).realise(there, row)
      realised.objects.append(there)
    }
    return there
  }

  /// The parent's object, realised if the child's is; nil when there is none.
  private func found(_ object: NSManagedObject) throws -> NSManagedObject? {
    KeyExchange(of: parent).match(with: child)
    let there =
      AncestorLevel(parent).counterpart(of: object)
      ?? parent.objects.faultObject(key: object.key, layout: object.layout, store: object.table?.store)
    guard there.isUnread else { return there }
    defer { if !there.isUnread { realised.objects.append(there) } }
    if let row = object.snapshot, row.commit > 0 {
      // The store is asked only if no context above has changes, so that this does not wait for one that is busy with a
      // long save.
      if let store = object.table?.store, store.latestCommit > row.commit, !parent.ancestors.haveChanges,
        try FaultReader(of: parent).rowNow(there) == nil
      {
        return nil
      }
      // The object gets the row that the child has seen: if the row has changed since, the save of the context at the top
      // finds the conflict.
      if object.state.contains(.deleted) { there.snapshot = row } else { FaultReader(of: parent).realise(there, row) }
    } else if object.snapshot != nil || object.key < 0 {
      guard let row = try FaultReader(of: parent).rowNow(there) else { return nil }
      FaultReader(of: parent).realise(there, row)
    }
    return there
  }

  // MARK: References

  private func checkMembers(of object: NSManagedObject) throws {
    for slot in object.layout.slots where slot.kind.isRelationship && !slot.isTransient {
      if slot.kind == .toOne {
        if case .object(let member)? = object.changedValue(slot, untracked: true) { try check(member, object, slot) }
      } else if let state = object.relations?.states[slot.relationIndex] as? ToManyState {
        for member in state.added { try check(member, object, slot) }
      }
    }
  }

  private func check(_ member: NSManagedObject, _ object: NSManagedObject, _ slot: PropertySlot) throws {
    // A new object is handed up with this save; the save has already checked references to objects that are deleted here.
    if !member.state.isDisjoint(with: [.inserted, .deleted]) { return }
    KeyExchange(of: parent).match(with: child)
    if let there = AncestorLevel(parent).counterpart(of: member) {
      if !there.state.contains(.deleted) { return }
    } else if member.key > 0 {
      return
    } else {
      let there = parent.objects.faultObject(key: member.key, layout: member.layout, store: nil)
      if try FaultReader(of: parent).rowNow(there) != nil { return }
    }
    throw NSError(
      coreData: NSManagedObjectValidationError,
      "\(slot.name) of \(object.objectID) refers to an object that the parent context has not any more: "
        + "\(member.objectID).",
      [
        NSValidationKeyErrorKey: slot.name, NSValidationObjectErrorKey: object,
        NSValidationValueErrorKey: "Dangling reference to an invalid object. \(member)",
      ])
  }

  // MARK: Doing it

  /// Makes the changes in the parent.
  mutating func apply() {
    made.reserveCapacity(inserted.count)
    for object in inserted {
      let there = insert(object)
      made.append(there)
      updated.append(Pair(own: object, there: there))
    }
    for pair in updated {
      pair.there.takeAttributes(of: pair.own)
      touch(pair.there)
    }
    for pair in returned { pair.there.letGoOfMembers(besidesThoseOf: pair.own, from: child) }
    // Additions to to-many relationships come first, in the owners' order; each also sets the other end, so that little
    // is left to do for the to-ones.
    for pair in updated { pair.there.takeMembers(of: pair.own, from: child) }
    for pair in updated { pair.there.takeToOnes(of: pair.own, from: child) }
    for pair in returned { pair.there.leadMembersBack() }
    for pair in updated where !pair.own.layout.orderedSlots.isEmpty {
      pair.there.takeOrder(of: pair.own, from: child)
    }
    for pair in deleted { takeDeletion(pair.there) }
    for pair in deleted { pair.there.letGoOfUnsavedRelations() }
    // Objects that are guarded against conflicts are checked when the context at the top is saved.
    for object in child.saving.guarded where !object.hasChanges {
      if let there = try? found(object) { parent.saving.guardAgainstConflicts(there) }
    }
  }

  /// Called when the parent's event has ended: objects that its delete rules and observers have left alone are the same in
  /// the child, which need not read them again when the parent has saved them.
  func markInserted() {
    for object in made where object.state.contains(.inserted) {
      object.state.insert(object.state.contains(.inEvent) ? .changedSincePush : .asPushed)
    }
  }

  /// Makes the parent's object for a child's new one, with the same key and without values.
  private func insert(_ object: NSManagedObject) -> NSManagedObject {
    // The parent may have a fault for the object already, if it was asked for it before.
    let known = AncestorLevel(parent).counterpart(of: object)
    // `known` may be an object that was deleted elsewhere; such an object is still in the list of changed objects.
    if let known { parent.delist(known) }
    let there = known ?? ManagedInstance.make(object.layout)
    there.relations = nil
    there.snapshot = nil
    there.faultBatch = nil
    let changes = ChangedValues.make(repeating: .null, object.layout.valueCount)
    changes.formerVersion = object.changes?.formerVersion ?? 0
    there.changes = changes
    if known == nil { parent.objects.table(for: object.layout, store: object.table?.store).register(there, object.key) }
    there.state = there.state.intersection(.observed).union([.inserted, .hasNoRow])
    parent.events.enterInsertion(there)
    parent.list(there)
    if parent.retainsRegisteredObjects { parent.identityMaps.retain(there) }
    if let store = child.identityMaps.assignedStore(of: object) {
      parent.identityMaps.assign(there, to: store)
    }
    return there
  }

  private func missingError(_ object: NSManagedObject) -> NSError {
    NSError(
      coreData: NSManagedObjectReferentialIntegrityError,
      "The parent context has not the object any more that a child has changed: \(object.objectID).",
      ["objectID": object.objectID, NSAffectedObjectsErrorKey: [object]])
  }

  /// An object that a child has saved counts as changed, even if all its values are equal.
  private func touch(_ object: NSManagedObject) {
    if object.state.contains(.deleted) { parent.insert(object) }
    object.enterEvent()
    object.markChanged()
  }

  /// Marks an object of the parent as deleted. The child has applied the delete rules to the members that it knew; for
  /// the parent's other members they are applied when the parent's event ends.
  private func takeDeletion(_ object: NSManagedObject) {
    object.enterEvent()
    object.state.insert(.deleted)
    parent.event.noteDeletion(of: object)
    parent.list(object)
  }
}
