import Foundation
import OpenCocoaFoundation

extension ChangeRun {
  /// Applies the delete rules of an object that is deleted already once more, to members that were related to it since.
  func propagateAgain(_ object: NSManagedObject) {
    guard object.state.isSuperset(of: [.deleted, .deletionPropagated]) else { return }
    object.state.remove(.deletionPropagated)
    context.event.noteDeletion(of: object)
    context.undoRecorder?.noteAppliedAgain(object)
  }

  /// Applies the delete rules of the objects that were deleted since the last time.
  /// - Returns: the deleted objects that were never saved.
  func propagateDeletions() -> ContiguousArray<NSManagedObject> {
    var insertions: ContiguousArray<NSManagedObject> = []
    // Cascades append to the list; hooks of the objects may also end the event, and so come here again.
    while !context.event.pendingDeletions.isEmpty {
      let deletions = context.event.takeDeletions()
      prefetchForDeletion(deletions[...])
      for object in deletions {
        // The deletion may have been taken back, or the object may have left the context.
        guard object.state.contains(.deleted) else { continue }
        if object.state.contains(.inserted) { insertions.append(object) }
        if object.state.contains(.deletionPropagated) { continue }
        object.state.insert(.deletionPropagated)
        propagateDeletion(object)
      }
    }
    return insertions
  }

  /// Removes objects that were inserted and deleted again from the context, once their delete rules have been applied.
  func dismiss(_ insertions: ContiguousArray<NSManagedObject>) {
    var gone: [NSManagedObjectID] = []
    let isAwaited = !insertions.isEmpty && AutomaticMerging.isAwaited(byChildrenOf: context)
    for object in insertions where leavesContext(object) {
      if isAwaited { gone.append(object.objectID) }
      context.delist(object)
      context.objects.unregister(object)
    }
    if gone.isEmpty { return }
    // No save will tell of objects that no store has ever had.
    var changes = SavedChanges()
    changes.deleted = gone
    AutomaticMerging.passDown(changes, from: context)
  }

  /// Whether an object was inserted and deleted again.
  func leavesContext(_ object: NSManagedObject) -> Bool {
    object.state.isSuperset(of: [.inserted, .deleted, .deletionPropagated]) && object.table?.context === context
  }

  /// Reads the relationships that the delete rules of many objects are about to walk, all together. If this fails, the
  /// rules read them one by one.
  private func prefetchForDeletion(_ candidates: ContiguousArray<NSManagedObject>.SubSequence) {
    var groups: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
    for object in candidates
    where object.key > 0 && object.state.isDisjoint(with: [.deletionPropagated, .hasNoRow])
      && object.state.contains(.deleted)
    {
      groups[ObjectIdentifier(object.layout), default: []].append(object)
    }
    for group in groups.values where group.count > 1 {
      for slot in group[0].layout.slots where slot.kind.isRelationship && !slot.isTransient {
        if slot.relationship.deleteRule == .noActionDeleteRule { continue }
        try? Prefetch(into: context).read(slot.name, group, group[0].layout)
      }
    }
  }

  private func propagateDeletion(_ object: NSManagedObject) {
    if object.state.contains(.inaccessible) { return }
    for place in object.layout.relationshipPlaces {
      let slot = object.layout.slots[place]
      let rule = slot.relationship.deleteRule
      if rule == .noActionDeleteRule || rule == .denyDeleteRule { continue }
      let related = slot.kind == .toOne ? object.toOne(slot).map { [$0] } ?? [] : object.members(slot)
      // An object whose row turned out to be gone may have left the context by now.
      for other in related where !other.isDetached {
        if other.state.contains(.deleted) {
          if slot.kind == .toMany, slot.inverseIsToMany {
            context.undoRecorder?.noteDeleted(object, relatedTo: other)
          }
          continue
        }
        if rule == .cascadeDeleteRule {
          context.delete(other)
        } else {
          if let inverse = slot.inverse { other.dropInverse(inverse, object, from: slot.key) }
          if slot.hasFurtherEnds { object.tellFurtherEnds(slot, other, nil) }
        }
      }
    }
  }

  /// Removes the objects that are going away from relationships without an inverse.
  /// - Parameter replacement: gives the object that replaces one that goes away; nil for none.
  func dropReferences(
    to gone: [NSManagedObject], replacement: (NSManagedObject) -> NSManagedObject? = { _ in nil }
  ) {
    if gone.isEmpty { return }
    let gone = Set(gone)
    for object in context.changed where !object.state.contains(.deleted) {
      guard object.changes != nil || object.relations != nil else { continue }
      for slot in object.layout.slots where slot.kind.isRelationship && slot.inverse == nil {
        if slot.kind == .toOne {
          guard case .object(let member)? = object.changes?.values[slot.index], gone.contains(member) else { continue }
          object.setToOne(replacement(member), slot)
        } else if let state = object.relations?.states[slot.relationIndex] as? ToManyState {
          for member in state.added.intersection(gone) {
            object.removeMember(member, slot)
            if let new = replacement(member) { object.addMember(new, slot) }
          }
        }
      }
    }
  }
}
