import Foundation
import OpenCocoaFoundation

extension BatchRun {
  /// Runs a batch insert on the first store that holds the entity and can be written.
  func runInsert(_ request: NSBatchInsertRequest, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    let entity = try batchEntity(request.storedEntity, request.entityName)
    request.storedEntity = entity
    if entity.isAbstract {
      raise(
        .internalInconsistency,
        "Cannot insert an object of the abstract entity '\(entity.name ?? "")': use one of its subentities.")
    }
    let store = try batchStores(request, request.affectedStores, holding: entity)[0]
    let rows = try BatchRows(request.source, of: entity.layout)
    let options = merge.options(rows: request.resultType == .objectIDs)
    let policy = (context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
    let changes: BatchChanges
    do {
      changes = try store.insertBatch(
        rows, policy: policy, options, HistorySource(context), whenRead: context.reads.end)
    } catch let conflict as BatchConflict {
      throw NSError(constraintConflicts: [constraintConflict(conflict, store)])
    }
    let inserted = store.identifiers(changes.inserted, entity.layout)
    let updated = store.identifiers(changes.updated, entity.layout)
    merge.add(inserted: inserted, updated: updated + store.identifiers(changes.others, entity.layout))
    switch request.resultType {
    case .statusOnly: return NSBatchInsertResult(NSNumber(value: true), request.resultType)
    case .count: return NSBatchInsertResult(NSNumber(value: changes.count), request.resultType)
    case .objectIDs: return NSBatchInsertResult(inserted + updated, request.resultType)
    }
  }

  /// Makes the conflict that a save would report. Its objects are in no context, except for the object of the row that
  /// already has the values.
  private func constraintConflict(_ conflict: BatchConflict, _ store: NSPersistentStore) -> NSConstraintConflict {
    let new = ManagedInstance.make(conflict.layout)
    new.changes = ChangedValues.make(
      conflict.layout.values(conflict.values))
    guard conflict.isNew else {
      let object = context.objects.faultObject(key: conflict.row.primaryKey, layout: conflict.row.layout, store: store)
      return NSConstraintConflict(conflict.constraint.names, database: object, row: conflict.row, isNew: false, [new])
    }
    // Both rows are from the batch itself.
    let layout = conflict.row.layout
    let first = ManagedInstance.make(layout)
    var values = layout.defaults
    for slot in layout.slots where !slot.isTransient && !slot.kind.isRelationship && slot.kind != .composite {
      values[slot.index] = StoredValue.read(slot, from: conflict.row)
    }
    first.changes = ChangedValues.make(layout.values(values))
    return NSConstraintConflict(conflict.constraint.names, database: nil, row: nil, isNew: false, [first, new])
  }
}

extension EntityLayout {
  /// The values of a row as an object holds them.
  fileprivate func values(_ row: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
    var values = row
    for slot in transformables {
      if case .data(let bytes) = values[slot.index] {
        values[slot.index] = .transformed(TransformedValue(decoding: bytes, slot.attribute))
      }
    }
    return values
  }
}
