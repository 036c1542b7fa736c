import Foundation
import OpenCocoaFoundation

// A save: nodes get the values of the objects, then the subclass writes all nodes. Runs under the store's lock.
extension NSAtomicStore {
  final func saveNodes(_ work: SaveWork) throws -> SaveResult {
    if isReadOnly { throw readOnlyError }
    try findConflicts(work)
    let unnamed = work.unnamed
    if unnamed.count < work.inserted.count { try findKeyConflicts(work) }
    work.adopt(try reserveKeys(unnamed), for: unnamed, self)
    try checkNew(work.inserted.lazy.map { ($0.key, $0.layout) })
    let log = NodeLog()
    do {
      apply(work, log)
      if !isWrittenLater { try write() }
    } catch {
      log.undo(&nodes)
      throw error
    }
    return publish(work, work.keys)
  }

  private final func write() throws {
    try save()
    savedMetadata = metadata
  }

  /// Runs several saves, and writes the store once after the last of them, because each write writes the whole store.
  ///
  /// If `body` or the write fails, the nodes keep their changes: the store cannot be used any more then.
  final func writingOnce(_ body: () throws -> Void) throws {
    locked { isWrittenLater = true }
    defer { locked { isWrittenLater = false } }
    try body()
    try locked { try write() }
  }

  private final func findConflicts(_ work: SaveWork) throws {
    for object in work.guarded {
      let stored = stored(object.key, object.layout)
      // An object that both sides have deleted is no conflict.
      if stored == nil, object.state.contains(.deleted) { continue }
      if stored == nil || stored?.version != object.snapshot?.version { throw conflict(object) }
    }
  }

  /// - Throws: `SaveConflict` for an object that has come back under its former ID, and whose row others have made, too.
  private final func findKeyConflicts(_ work: SaveWork) throws {
    for object in work.inserted where object.key > 0 && stored(object.key, object.layout) != nil {
      throw conflict(object)
    }
  }

  /// - Throws: 134060 if a new object has the same reference object as another object.
  final func checkNew(_ keys: some Sequence<(Int64, EntityLayout)>) throws {
    var seen: [Int: Set<Int64>] = [:]
    for (key, layout) in keys
    where stored(key, layout) != nil || !seen[layout.rootNumber, default: []].insert(key).inserted {
      throw NSError(
        coreData: NSCoreDataError,
        "newReferenceObject(for:) of the store at \(place) gave \(references.reference(for: key)) for a new object of "
          + "\(layout.name); another object has that already.")
    }
  }

  private final func apply(_ work: SaveWork, _ log: NodeLog) {
    // Every new object has its node before the first relationship is set.
    for object in work.inserted {
      let node = newCacheNode(for: object)
      log.keepPlace(of: node, nodes)
      add(node)
    }
    remove(Set(work.deleted.compactMap { stored($0.key, $0.layout)?.node }), log)
    for object in work.inserted { update(object, log) }
    for object in work.updated { update(object, log) }
    for object in work.inserted { matchLists(of: object, log) }
    for object in work.updated { matchLists(of: object, log) }
  }

  private final func remove(_ gone: Set<NSAtomicStoreCacheNode>, _ log: NodeLog) {
    if gone.isEmpty { return }
    willRemoveCacheNodes(gone)
    var leaving: [NodeRelationship: [NSAtomicStoreCacheNode]] = [:]
    for node in gone {
      for slot in node.objectID.entity.layout.slots
      where (slot.inverseIsToMany || slot.hasFurtherEnds) && slot.kind.isRelationship && !slot.isTransient {
        let lists = slot.lists
        for member in lists.isEmpty ? [] : node.members(slot.name) where !gone.contains(member) {
          for list in lists { leaving[NodeRelationship(owner: member, name: list.name), default: []].append(node) }
        }
      }
    }
    for (relationship, members) in leaving {
      log.keepValues(of: relationship.owner)
      relationship.owner.change(relationship.name, adding: [], removing: members)
    }
    for node in gone {
      log.keepPlace(of: node, nodes)
      log.keepValues(of: node)
      nodes[node.objectID.entity.layout.rootNumber]?[node.objectID.key] = nil
      // Code that still holds the removed node finds no values in it.
      node.propertyCache = nil
    }
  }

  private final func update(_ object: NSManagedObject, _ log: NodeLog) {
    guard let stored = stored(object.key, object.layout) else { return }
    log.keepPlace(of: stored.node, nodes)
    log.keepValues(of: stored.node)
    leaveFormerOwners(object, stored.node, log)
    updateCacheNode(stored.node, from: object)
    nodes[object.layout.rootNumber]?[object.key]?.version = object.nextVersion
  }

  /// Copies the values of an object to its node; the default of `updateCacheNode(_:from:)`.
  final func copyValues(of object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
    for slot in object.layout.slots where !slot.isTransient && !slot.isElement {
      switch slot.kind {
      case .toOne:
        node.setValue(destination(of: object, slot), forKey: slot.name)
      case .toMany:
        copyMembers(of: object, slot, to: node)
      case .transformable:
        switch object.currentValue(slot) {
        // The node gets a copy, so that later changes of the object do not reach it.
        case .transformed(let value): node.setValue(value.copy(for: slot.attribute), forKey: slot.name)
        case .data where node.propertyCache?.object(forKey: slot.name) != nil: continue
        default: node.setValue(object.attributeValue(slot), forKey: slot.name)
        }
      default:
        node.setValue(object.attributeValue(slot), forKey: slot.name)
      }
    }
  }

  final func destination(of object: NSManagedObject, _ slot: PropertySlot) -> NSAtomicStoreCacheNode? {
    switch object.currentValue(slot) {
    case .object(let member): stored(member.key, member.layout)?.node
    case .int(let key): slot.destination.flatMap { stored(key, $0.layout)?.node }
    default: nil
    }
  }

  /// Writes only the added and removed members of an unordered relationship, so that one change does not walk all members.
  private final func copyMembers(of object: NSManagedObject, _ slot: PropertySlot, to node: NSAtomicStoreCacheNode) {
    guard let state = object.relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges else {
      // A node without a value for the relationship gets an empty one.
      if node.propertyCache?.object(forKey: slot.name) == nil { node.setRelationship(slot, []) }
      return
    }
    func nodes(_ objects: some Sequence<NSManagedObject>) -> [NSAtomicStoreCacheNode] {
      objects.compactMap { stored($0.key, $0.layout)?.node }
    }
    if slot.isOrdered {
      // Others may have changed the members since the context read them: what it has not changed stays, or stays away.
      let before = node.members(slot.name), present = Set(before)
      let known = object.members(slot).compactMap { member -> NSAtomicStoreCacheNode? in
        guard let node = stored(member.key, member.layout)?.node else { return nil }
        return state.added.contains(member) || present.contains(node) ? node : nil
      }
      let kept = Set(known)
      let unseen = before.filter { state.keys?.contains($0.objectID.key) == false && !kept.contains($0) }
      node.setRelationship(slot, known + unseen)
    } else {
      node.change(slot.name, adding: nodes(state.added), removing: nodes(state.removed))
    }
  }

  /// Describes the store's model in the metadata.
  final func describeModel() {
    var described = StoreMetadata(identifier: identifier, properties: metadata ?? [:])
    described.describe(model, entities: entitiesHeld)
    metadata = described.dictionary
  }
}

/// A to-many relationship of a node.
private struct NodeRelationship: Hashable {
  let owner: NSAtomicStoreCacheNode
  let name: String
}
