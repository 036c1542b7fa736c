import Foundation
import OpenCocoaFoundation

/// Reads the members of relationships for many owners: one statement for the keys and a few for the rows.
struct Prefetch {
  private let context: NSManagedObjectContext

  init(into context: NSManagedObjectContext) { self.context = context }

  /// Reads the members of a key path's relationships for all of `objects`.
  /// - Throws: an error that names entity and key when the path does not exist or leads through an attribute.
  /// - Parameter areAll: whether the objects are all objects of their entity.
  func read(
    _ keyPath: String, _ objects: ContiguousArray<NSManagedObject>, _ layout: EntityLayout, areAll: Bool = false
  ) throws {
    var owners = objects
    var layout = layout
    let steps = keyPath.keysOfPath
    for (position, step) in steps.enumerated() {
      guard let slot = layout.slot(named: step), slot.kind.isRelationship, !slot.isTransient,
        let destination = slot.destination
      else {
        throw NSError(
          coreData: NSCoreDataError,
          "relationshipKeyPathsForPrefetching: keypath \(keyPath) not found in entity \(layout.name): "
            + "\(layout.name) has no relationship \"\(step)\".")
      }
      let watch = Watchers.watchContexts ? ContextWatch(.prefetch, layout, slot.property) : nil
      let count =
        slot.kind == .toMany
        ? try prefetchMembers(slot, owners, destination.layout, areAll: areAll && position == 0)
        : try prefetchMember(slot, owners, destination.layout)
      watch?.endPrefetch(steps[...position].joined(separator: "."), rows: count)
      guard position + 1 < steps.count else { return }
      var next: Set<NSManagedObject> = []
      for owner in owners {
        if slot.kind == .toMany {
          next.formUnion(owner.members(slot))
        } else if let one = owner.toOne(slot) {
          next.insert(one)
        }
      }
      owners = ContiguousArray(next)
      layout = destination.layout
    }
  }

  /// - Returns: the number of members.
  private func prefetchMembers(
    _ slot: PropertySlot, _ owners: ContiguousArray<NSManagedObject>, _ destination: EntityLayout, areAll: Bool
  ) throws -> Int {
    var count = 0
    for group in unreadOwners(owners, of: slot) {
      let (store, owners) = (group.store, group.objects)
      guard let sample = owners.first, let own = sample.layout.slot(slot.key) else { continue }
      if context.parentContext != nil { try context.ancestors.prepareToRead(store) }
      let ownerKeys = ContiguousArray(Borrowed(owners).lazy.map { $0.read { $0.key } })
      let transaction = context.reads.transaction(on: store)
      if let keys = try store.readMembersWithRows(
        of: ownerKeys, own, layout: sample.layout, isEveryOwner: areAll, readsRowsAgain: false,
        transaction: transaction)
      {
        for (index, owner) in owners.enumerated() {
          owner.toManyState(relation(of: slot.key, owner, like: (sample.layout, own.relationIndex))).keys = keys[index]
          count += keys[index].keys.count
        }
        shareFaultBatch(owners, keys, own, destination)
        continue
      }
      let keys = try store.readMembers(of: ownerKeys, own, layout: sample.layout, transaction: transaction)
      var wanted: ContiguousArray<Int64> = []
      var last: KeyArray?
      for owner in owners {
        guard let array = keys[owner.key] else { continue }
        owner.toManyState(relation(of: slot.key, owner, like: (sample.layout, own.relationIndex))).keys = array
        // Owners often have the same members: an array equal to the last one adds no keys.
        if last?.keys != array.keys { wanted.append(contentsOf: array.keys) }
        last = array
      }
      Self.removeDuplicates(&wanted)
      count += wanted.count
      try readMissingRows(wanted, destination, store)
    }
    return count
  }

  /// Gives the members of all owners that were fetched together one common fault batch, in place of one for each owner.
  private func shareFaultBatch(
    _ owners: ContiguousArray<NSManagedObject>, _ keys: ContiguousArray<KeyArray>, _ slot: PropertySlot,
    _ destination: EntityLayout
  ) {
    guard let faultBatch = owners[0].faultBatch, owners.allSatisfy({ $0.faultBatch === faultBatch }) else { return }
    var all: ContiguousArray<Int64> = []
    for array in keys { all.append(contentsOf: array.keys) }
    faultBatch.readAhead(slot).notePrefetch(of: FaultBatch(all, layout: destination, origin: slot.property))
  }

  /// The relation index that a relationship has in an owner's entity; in most cases it is the known one.
  @inline(__always)
  private func relation(
    of key: _PropertyKey, _ owner: NSManagedObject, like known: (layout: EntityLayout, relation: Int)
  ) -> Int {
    owner.layout === known.layout ? known.relation : owner.requiredSlot(key).relationIndex
  }

  /// Owners of one store. If the store reads the members of one object at a time, they are also of one entity.
  private struct Owners {
    let store: NSPersistentStore
    let layout: EntityLayout
    var objects: ContiguousArray<NSManagedObject>

    func takes(_ store: NSPersistentStore, _ layout: EntityLayout) -> Bool {
      self.store === store && (self.layout === layout || store.readsInCompany)
    }
  }

  /// The stored owners whose members are not known yet, in groups that their store can read together.
  private func unreadOwners(_ owners: ContiguousArray<NSManagedObject>, of slot: PropertySlot) -> [Owners] {
    var groups: [Owners] = []
    var place = 0
    guard let first = owners.first, let own = first.layout.slot(slot.key) else { return [] }
    let known = (first.layout, own.relationIndex)
    let above = context.ancestors.changed(among: owners)
    for owner in owners where owner.key > 0 && (above.isEmpty || !above.contains(owner)) {
      guard let store = owner.table?.store,
        owner.toManyState(relation(of: slot.key, owner, like: known)).keys == nil
      else { continue }
      if place >= groups.count || !groups[place].takes(store, owner.layout) {
        place = groups.firstIndex { $0.takes(store, owner.layout) } ?? groups.count
        if place == groups.count { groups.append(Owners(store: store, layout: owner.layout, objects: [])) }
      }
      groups[place].objects.append(owner)
    }
    return groups
  }

  private func prefetchMember(
    _ slot: PropertySlot, _ owners: ContiguousArray<NSManagedObject>, _ destination: EntityLayout
  ) throws -> Int {
    var wanted: [ObjectIdentifier: (store: NSPersistentStore, keys: ContiguousArray<Int64>)] = [:]
    for owner in owners {
      guard let own = owner.layout.slot(slot.key) else { continue }
      if case .int(let key) = owner.currentValue(own), key > 0, let store = owner.memberStore {
        wanted[ObjectIdentifier(store), default: (store, [])].keys.append(key)
      }
    }
    var count = 0
    for (store, var keys) in wanted.values {
      Self.removeDuplicates(&keys)
      count += keys.count
      try readMissingRows(keys, destination, store)
    }
    return count
  }

  /// Puts the keys in ascending order, each once. They often ascend, or nearly, so that sorting takes less time than a set.
  private static func removeDuplicates(_ keys: inout ContiguousArray<Int64>) {
    keys.sort()
    var count = 0
    for index in keys.indices {
      let key = keys[index]
      if count > 0, keys[count - 1] == key { continue }
      keys[count] = key
      count += 1
    }
    keys.removeLast(keys.count - count)
  }

  /// Reads the rows that the cache does not have; the keys ascend. In a store that reads one object at a time, the rows
  /// are read when the faults fire, each by its own entity.
  private func readMissingRows(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ store: NSPersistentStore
  ) throws {
    guard store.readsInCompany else { return }
    let root = layout.rootNumber
    let shard = store.rows.shard(root)
    let transaction = context.reads.transaction(on: store)
    let missing: ContiguousArray<Int64> = keys.filter { key in
      // A row that is too new for a pinned context counts as missing.
      guard transaction.isPinned else { return !shard.contains(key) }
      return shard.get(key, at: transaction.pinnedCommit) == nil && transaction.ownRow(key, root: root) == nil
    }
    if missing.isEmpty { return }
    _ = try store.readRows(missing, layout: layout, transaction: transaction)
  }
}
