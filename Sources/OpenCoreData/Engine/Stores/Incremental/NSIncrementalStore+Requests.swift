import Foundation
import OpenCocoaFoundation

// How the fetches, faults and saves of contexts become calls of an incremental store's methods.
extension NSIncrementalStore {
  func fetchObjects(_ target: FetchTarget, _ transaction: ReadTransaction) throws -> FetchedRows {
    let request = target.request(.managedObjectResultType)
    let result = try execute(request, with: transaction.context)
    guard let objects = result as? [NSManagedObject] else {
      throw unexpected(result, "for a fetch of \(target.layout.name)", "an array of managed objects")
    }
    var fetched = FetchedRows(store: self)
    fetched.objects = objects
    fetched.keys = ContiguousArray(objects.map(\.key))
    if target.layout.hasSubentities {
      fetched.entities = ContiguousArray(objects.map { Int32(number(of: $0.layout.entity)) })
    }
    return fetched
  }

  func requestDictionaries(_ target: FetchTarget, _ transaction: ReadTransaction) throws -> [[String: Any]] {
    let result = try execute(target.request(.dictionaryResultType), with: transaction.context)
    if let dictionaries = result as? [[String: Any]] { return dictionaries }
    throw unexpected(result, "for a fetch of dictionaries of \(target.layout.name)", "an array of dictionaries")
  }

  func fetchCount(_ target: FetchTarget, _ transaction: ReadTransaction) throws -> Int {
    let result = try execute(target.request(.countResultType), with: transaction.context)
    let count = (result as? [Any])?.first ?? result
    if let count = count as? Int { return count }
    if let count = count as? NSNumber { return count.intValue }
    throw unexpected(result, "for a count of \(target.layout.name)", "an array of one number")
  }

  func readNodes(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
    guard let context = transaction.context else { return ([], true) }
    var rows: ContiguousArray<Snapshot> = []
    var scratch = SnapshotScratch(slots: layout.slotCount)
    for key in keys {
      let commit = latestCommit
      let objectID = NSManagedObjectID(entity: layout.entity, store: self, key: key)
      guard let node = try existing({ try newValuesForObject(with: objectID, with: context) }) else { continue }
      let own = node.objectID.key == key ? context.objects.localLayout(node.objectID.entity) : layout
      let row = try makeRow(
        key, layout: own, version: Int64(clamping: node.version), commit: commit, scratch: &scratch
      ) { slot in
        if let value = node.value(for: slot.property) { return value }
        guard slot.kind == .toOne else { return nil }
        return try newValue(forRelationship: slot.relationship, forObjectWith: objectID, with: context)
      }
      rows.append(row)
    }
    return (rows, self.rows.shard(layout.rootNumber).put(rows))
  }

  /// Returns the node of `body`, or nil if `body` throws that the object does not exist.
  private func existing(_ body: () throws -> NSIncrementalStoreNode) throws -> NSIncrementalStoreNode? {
    do {
      return try body()
    } catch let error as NSError
      where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
    {
      return nil
    }
  }

  func readRelationship(
    _ owner: Int64, _ slot: PropertySlot, _ layout: EntityLayout, _ transaction: ReadTransaction
  ) throws -> KeyArray {
    let id = relationID(layout, slot)
    let commit = latestCommit
    let objectID = NSManagedObjectID(entity: layout.entity, store: self, key: owner)
    let value = try newValue(forRelationship: slot.relationship, forObjectWith: objectID, with: transaction.context)
    guard let members = Self.identifiers(value) else {
      throw unexpected(value, "for the relationship \"\(slot.name)\" of \(layout.name)", "a collection of object IDs")
    }
    let keys = makeKeys(members, slot, commit: commit)
    rows.relation(id).put(keys, owner: owner)
    return keys
  }

  private static func identifiers(_ value: Any) -> [NSManagedObjectID]? {
    switch value {
    case is NSNull: []
    case let array as [NSManagedObjectID]: array
    case let set as Set<NSManagedObjectID>: Array(set)
    case let array as NSArray: array.compactMap { $0 as? NSManagedObjectID }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObjectID }
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObjectID }
    default: nil
    }
  }

  // MARK: Saving

  func permanentKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<Int64> {
    if objects.isEmpty { return [] }
    let identifiers = try obtainPermanentIDs(for: Array(objects))
    guard identifiers.count == objects.count, Set(identifiers).count == objects.count,
      identifiers.allSatisfy({ $0.persistentStore === self && !$0.isTemporaryID })
    else {
      throw NSError(
        coreData: NSCoreDataError,
        "obtainPermanentIDs(for:) of the store at \(place) gave for \(objects.count) objects \(identifiers), which are "
          + "not as many different permanent IDs of this store.")
    }
    return ContiguousArray(identifiers.map(\.key))
  }

  func executeSave(_ work: SaveWork, _ context: NSManagedObjectContext) throws -> SaveResult {
    if isReadOnly { throw readOnlyError }
    try findConflicts(work, context)
    let unnamed = work.unnamed
    work.adopt(try permanentKeys(unnamed), for: unnamed, self)
    let request = NSSaveChangesRequest(
      inserted: Set(work.inserted), updated: Set(work.updated), deleted: Set(work.deleted),
      locked: Set(work.locked))
    _ = try execute(request, with: context)
    return publish(work, work.keys)
  }

  /// Looks for objects that other contexts, or other clients of the service, have written since they were read.
  private func findConflicts(_ work: SaveWork, _ context: NSManagedObjectContext) throws {
    for object in work.guarded {
      guard let read = object.snapshot?.version else { continue }
      let shard = rows.shard(object.layout.rootNumber)
      if let known = shard.get(object.key, at: .max), known.version != read { throw conflict(object) }
      let node = try existing { try newValuesForObject(with: object.objectID, with: context) }
      // Only a greater version is a conflict, so that a store need not count versions.
      if let node, Int64(clamping: node.version) <= read { continue }
      rows.invalidateRelations(before: nextCommit())
      throw conflict(object)
    }
  }

  /// Returns the outdated rows. A row that the store gives is newer only if its version is above the one that was read.
  func readOutdated(
    _ objects: ContiguousArray<NSManagedObject>, _ layout: EntityLayout, _ transaction: ReadTransaction
  ) throws -> OutdatedRows {
    var outdated = OutdatedRows()
    let shard = rows.shard(layout.rootNumber)
    for object in objects {
      guard let read = object.snapshot?.version else {
        outdated.gone.insert(object.key)
        continue
      }
      let known = shard.get(object.key, at: .max)
      if let known, known.version != read {
        outdated.rows[object.key] = known
        continue
      }
      let row = try readNodes([object.key], layout, transaction).rows.first
      if let row, row.fits(object) {
        if row.version > read {
          outdated.rows[object.key] = row
        } else if let known {
          // The row that the context has read stays the one that all contexts share.
          shard.put([known])
        }
      } else {
        shard.remove([object.key])
        outdated.gone.insert(object.key)
      }
    }
    return outdated
  }

  private func unexpected(_ value: Any, _ occasion: String, _ wanted: String) -> NSError {
    NSError(
      coreData: NSCoreDataError,
      "The store at \(place) gave a \(Swift.type(of: value)) \(occasion); \(wanted) is expected.")
  }
}
