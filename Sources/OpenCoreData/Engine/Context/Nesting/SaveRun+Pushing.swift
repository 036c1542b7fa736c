import Foundation
import OpenCocoaFoundation

// The save of a child context: it pushes all changes to the parent, or none.
extension SaveRun {
  /// Hands the changes to the parent. Where the parent has changed a value too, the child's value replaces it.
  ///
  /// The parent's observers hear of the changes as of an event of its own.
  /// - Throws: the errors of `ParentPush`; nothing has changed then.
  func push(to parent: NSManagedObjectContext) throws {
    let deletedRows = rowsOfDeletedFaults()
    try parent.performAndWait {
      // The parent's own pending changes end as an event of their own.
      parent.processPendingChanges()
      var push = try ParentPush(of: context, to: parent)
      push.apply()
      settlePushed()
      parent.processPendingChanges()
      push.markInserted()
    }
    forgetDiscarded()
    for (object, row) in deletedRows where object.rowReference == nil { object.snapshot = row }
  }

  /// The rows that deleted faults have in the parent, for the `didSave` of their classes: there a fault whose object is deleted
  /// in the parent has no values.
  private func rowsOfDeletedFaults() -> [DeletedRow] {
    var faults: ContiguousArray<NSManagedObject> = []
    context.changed.forEachUncounted { if $0.isDeletedFaultForDidSave { faults.append($0) } }
    return faults.compactMap { object in (try? context.ancestors.rowNow(object)).map { (object, $0) } }
  }

  /// Gives the child's objects the state that they have in the parent: no changes, and rows made of the parent's values.
  private func settlePushed() {
    var scratch = SnapshotScratch(slots: 64)
    for object in context.changed where !object.state.contains(.deleted) {
      if object.snapshot != nil || object.state.contains(.hasNoRow) {
        KeyExchange(of: context).noteHome(KeyExchange(of: context).homeStore(of: object), of: object)
        let row = object.packedRow(&scratch)
        object.snapshot = row
        if row.commit == 0, row.hasTemporaryKeys { KeyExchange(of: context).noteTemporaryKeys(of: object) }
      }
      context.identityMaps.forgetAssignment(of: object)
      if context.retainsRegisteredObjects { context.identityMaps.retain(object) }
      object.changes = object.transientValues()
      if object.state.contains(.inserted) { object.state.insert(.handedUp) }
      object.state.subtract([.inserted, .updated, .hasNoRow, .saving, .changedInEvent, .insertedAgain, .putAside])
    }
    for object in context.changed where !object.state.contains(.deleted) {
      if object.commitPushedMembers() { KeyExchange(of: context).noteTemporaryKeys(of: object) }
    }
  }
}

extension NSManagedObject {
  /// Makes the added and removed members of the to-many relationships the parent's. Gives true if members have temporary
  /// keys.
  fileprivate final func commitPushedMembers() -> Bool {
    guard let relations else { return false }
    var hasTemporaryKeys = false
    for slot in layout.slots where slot.kind == .toMany {
      guard let state = relations.states[slot.relationIndex] as? ToManyState else { continue }
      let hasEntities = slot.destination?.subentities.isEmpty == false
      state.commit(at: 0, number: hasEntities ? { $0.packedEntityNumber } : nil)
      if state.keys?.hasTemporaryKeys == true { hasTemporaryKeys = true }
    }
    return hasTemporaryKeys
  }
}
