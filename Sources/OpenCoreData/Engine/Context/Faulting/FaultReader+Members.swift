import Foundation
import OpenCocoaFoundation

// Reads which members to-many relationships have.
extension FaultReader {
  /// The keys of a to-many relationship's members, from the contexts above, the cache or the store.
  func relationKeys(of object: NSManagedObject, _ slot: PropertySlot) -> KeyArray {
    do {
      if context.parentContext != nil, let keys = try context.ancestors.keysNow(of: object, slot) { return keys }
      guard let store = object.table?.store else { return KeyArray.empty }
      let id = store.relationID(object.layout, slot)
      let transaction = context.reads.transaction(on: store)
      if context.stalenessInterval >= 0 {
        store.rows.relation(id).forget(object.key, olderThan: context.stalenessInterval)
      }
      if let keys = store.rows.relation(id).get(object.key, at: transaction.pinnedCommit) { return keys }
      if let keys = transaction.ownRows?.relation(id).get(object.key, at: .max) { return keys }
      if let keys = object.faultBatch?.keys(of: object.key, slot, at: transaction.moment) { return keys }
      guard Watchers.watchContexts else { return try readKeys(of: object, slot, store, id, transaction).keys }
      let watch = ContextWatch(.relationshipFault, object.layout, slot.property)
      do {
        let (keys, count) = try readKeys(of: object, slot, store, id, transaction)
        watch.endRelationshipFault(object, slot.name, rows: count)
        return keys
      } catch {
        watch.fail()
        throw error
      }
    } catch {
      if let faultFailures = context.readState.failures {
        faultFailures.note(error)
        return KeyArray.empty
      }
      raise(
        .internalInconsistency,
        "CoreData could not fulfill the relationship fault '\(slot.name)' of '\(object.objectID)': \(error)")
    }
  }

  /// The keys of an object's members from the store, and how many keys were read with them.
  private func readKeys(
    of object: NSManagedObject, _ slot: PropertySlot, _ store: NSPersistentStore, _ id: RelationID,
    _ transaction: ReadTransaction
  ) throws -> (keys: KeyArray, count: Int) {
    let commit = transaction.pinnedCommit
    if let faultBatch = object.faultBatch, store.readsInCompany, let destination = slot.destination {
      let wantsRows = faultBatch.readAhead(slot).readsRows
      let owners = faultBatch.owners(with: object.key, of: slot, limit: context.faultBatchSize) {
        (store.rows.relation(id).get($0, at: commit) ?? transaction.ownRows?.relation(id).get($0, at: .max)) != nil
      }
      if owners.count > 1 {
        var found: [Int64: KeyArray] = [:]
        if wantsRows,
          let keys = try store.readMembersWithRows(
            of: owners, slot, layout: object.layout, isEveryOwner: false, readsRowsAgain: true, transaction: transaction
          )
        {
          for (owner, keys) in zip(owners, keys) { found[owner] = keys }
        } else {
          found = try store.readMembers(of: owners, slot, layout: object.layout, transaction: transaction)
        }
        faultBatch.readAhead(slot).note(
          found, at: transaction.moment, layout: destination.layout, origin: slot.property,
          keyLimit: Self.readAheadLimit)
        return (found[object.key] ?? KeyArray.empty, found.values.reduce(0) { $0 + $1.keys.count })
      }
    }
    let keys = try store.readMembers(of: object.key, slot, layout: object.layout, transaction: transaction)
    return (keys, keys.keys.count)
  }

  /// The largest number of members' keys that one statement should read for owners that may never be asked for their members.
  private static var readAheadLimit: Int { 4096 }
}
