import Foundation
import OpenCocoaFoundation

extension SaveRun {
  /// Checks that the rows about to be written can refer to the objects that relationships were set to.
  /// - Throws: 1550 for a reference to an object that is deleted, or is no longer in the context; 133010 for a reference
  ///   to an object of another store.
  func checkReferences() throws {
    guard context.changed.mayHaveRelationships else { return }
    let hasStores = (context.persistentStoreCoordinator?.persistentStores.count ?? 0) > 1
    try context.changed.forEachUncounted { object in
      if object.state.contains(.deleted) || object.changes == nil && object.relations == nil { return }
      let layout = object.layout
      for place in layout.relationshipPlaces {
        let slot = layout.slots[place]
        if slot.kind == .toOne {
          guard case .object(let member)? = object.changedValue(slot) else { continue }
          try checkReference(object, slot, member, hasStores: hasStores)
        } else if slot.inverse == nil || slot.inverseIsToMany,
          let state = object.relations?.states[slot.relationIndex] as? ToManyState
        {
          // If the other end is a to-one, it is the member's row that refers to the owner.
          for member in state.added { try checkReference(object, slot, member, hasStores: hasStores) }
        }
      }
    }
  }

  private func checkReference(
    _ object: NSManagedObject, _ slot: PropertySlot, _ member: NSManagedObject, hasStores: Bool
  ) throws {
    let isRow = member.state.isDisjoint(with: [.deleted, .hasNoRow]) || member.isInserted
    if member.isDetached || !isRow {
      throw NSError(
        coreData: NSManagedObjectValidationError,
        "\(slot.name) of \(object.objectID) refers to an object that is not there any more: \(member.objectID).",
        [
          NSValidationKeyErrorKey: slot.name, NSValidationObjectErrorKey: object,
          NSValidationValueErrorKey: "Dangling reference to an invalid object. \(member)",
        ])
    }
    guard hasStores else { return }
    let own = try ChangeRun(in: context).store(for: object), other = try ChangeRun(in: context).store(for: member)
    if own !== other {
      throw NSError(
        coreData: NSManagedObjectExternalRelationshipError,
        "\(slot.name) of \(object.objectID) in \(own.place) refers to an object in another store, \(other.place).",
        [NSAffectedObjectsErrorKey: [object, member]])
    }
  }
}
