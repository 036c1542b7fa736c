import Foundation
import OpenCocoaFoundation

// Prefetching: what a relationship leads to, for many owners with one statement for the keys and a few for the rows.
extension NSManagedObjectContext {
  /// Reads the members of a key path's relationships for all of `objects`.
  /// - Throws: an error that names entity and key when the path does not exist or leads through an attribute.
  final func prefetch(_ keyPath: String, _ objects: ContiguousArray<NSManagedObject>, _ layout: EntityLayout) throws {
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
        ? try prefetchMembers(slot, owners, destination.layout) : try prefetchMember(slot, owners, destination.layout)
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

  /// - Returns: how many members there are.
  private final func prefetchMembers(
    _ slot: PropertySlot, _ owners: ContiguousArray<NSManagedObject>, _ destination: EntityLayout
  ) throws -> Int {
    struct Group: Hashable {
      let store: ObjectIdentifier
      let layout: ObjectIdentifier?
    }
    var groups: [Group: (store: NSPersistentStore, owners: ContiguousArray<NSManagedObject>)] = [:]
    let above = changedAbove(owners)
    for owner in owners where owner.key > 0 && !above.contains(owner) {
      guard let store = owner.table?.store, let own = owner.layout.slot(slot.key) else { continue }
      if owner.toManyState(own.relationIndex).keys == nil {
        // A store that is asked about one object after the other hears of each by its own entity.
        let layout = store.readsInCompany ? nil : ObjectIdentifier(owner.layout)
        let group = Group(store: ObjectIdentifier(store), layout: layout)
        groups[group, default: (store, [])].owners.append(owner)
      }
    }
    var count = 0
    for (store, owners) in groups.values {
      guard let sample = owners.first, let own = sample.layout.slot(slot.key) else { continue }
      if parentContext != nil { try prepareToRead(store) }
      let keys = try store.readMembers(
        of: ContiguousArray(owners.map(\.key)), own, layout: sample.layout, transaction: readTransaction(on: store))
      var wanted: ContiguousArray<Int64> = []
      var last: KeyArray?
      for owner in owners {
        guard let array = keys[owner.key], let own = owner.layout.slot(slot.key) else { continue }
        owner.toManyState(own.relationIndex).keys = array
        // Owners often share their members: an array equal to the last one brings nothing new.
        if last?.keys != array.keys { wanted.append(contentsOf: array.keys) }
        last = array
      }
      Self.removeDuplicates(&wanted)
      count += wanted.count
      try readMissingRows(wanted, destination, store)
    }
    return count
  }

  private final func prefetchMember(
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

  /// Puts the keys in ascending order, each once. They often ascend, or nearly, so that this takes less than a set.
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

  /// Reads those rows into the cache that it does not have; the keys ascend. A store that is asked about one object after
  /// the other is
  /// asked when their faults fire, by their own entities.
  private final func readMissingRows(
    _ keys: ContiguousArray<Int64>, _ layout: EntityLayout, _ store: NSPersistentStore
  ) throws {
    guard store.readsInCompany else { return }
    let root = layout.rootNumber
    let shard = store.rows.shard(root)
    let transaction = readTransaction(on: store)
    let missing: ContiguousArray<Int64> = keys.filter { key in
      // A row that is too new for a pinned context counts as missing.
      guard transaction.isPinned else { return !shard.contains(key) }
      return shard.get(key, at: transaction.pinnedCommit) == nil && transaction.ownRow(key, root: root) == nil
    }
    if missing.isEmpty { return }
    _ = try store.readRows(missing, layout: layout, transaction: transaction)
  }
}
