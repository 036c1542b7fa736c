import Foundation
import OpenCocoaFoundation

// Updates of the objects after a save was written.
extension SaveRun {
  /// Gives the objects the rows that were written.
  func finish(_ work: SaveWork, _ result: SaveResult, _ store: NSPersistentStore) {
    KeyExchange(of: context).give(result.insertedKeys, to: work.inserted, in: store)
    if context.retainsRegisteredObjects { context.identityMaps.retain(work.inserted) }
    work.inserted.forEachUncounted { settle($1, result.insertedRows[$0]) }
    work.updated.forEachUncounted { settle($1, result.updatedRows[$0]) }
    // To-many keys are taken over once every new object has its permanent key.
    if work.mayHaveRelationships {
      for object in work.inserted { object.commitMembers(result.commit, store) }
      for object in work.updated { object.commitMembers(result.commit, store) }
    }
    for object in work.deleted { object.table?.remove(object) }
    for row in result.touchedRows { takeTouched(row, store) }
    for former in result.formerOwners { forgetMembers(of: former, store) }
  }

  /// Makes an owner that has lost a member read its members anew.
  private func forgetMembers(of former: FormerOwner, _ store: NSPersistentStore) {
    let table = context.objects.tables(for: store, model: former.layout.entity.managedObjectModel).table(
      former.layout.rootNumber)
    guard let object = table.object(former.key), let slot = object.layout.slot(named: former.slot.name),
      let state = object.relations?.states[slot.relationIndex] as? ToManyState
    else { return }
    if let arrangement = state.forgetStored() { object.rearrange(arrangement, slot) }
  }

  /// Gives an object whose derived attributes changed through the save of others its new row, unless it is a fault.
  private func takeTouched(_ row: Snapshot, _ store: NSPersistentStore) {
    let table = context.objects.tables(for: store, model: row.layout.entity.managedObjectModel).table(
      row.layout.rootNumber)
    guard let object = table.object(row.primaryKey), object.snapshot != nil,
      object.state.isDisjoint(with: [.inserted, .updated, .deleted])
    else { return }
    object.snapshot = row
    if !context.observers.isEmpty { context.event.noteTouched(object) }
  }

  private func settle(_ object: NSManagedObject, _ row: Snapshot) {
    context.identityMaps.forgetAssignment(of: object)
    object.snapshot = row
    object.changes = object.transientValues()
    object.state.subtract([.inserted, .updated, .hasNoRow, .saving, .changedInEvent, .insertedAgain, .putAside])
  }
}
