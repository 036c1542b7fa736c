import Foundation
import OpenCocoaFoundation

// A save: nodes take the objects' values, then the subclass writes them all. Runs under the store's lock.
extension NSAtomicStore {
  final func saveNodes(_ work: SaveWork) throws -> SaveResult {
    if isReadOnly { throw readOnlyError }
    try findConflicts(work)
    let unnamed = work.unnamed
    work.adopt(try reserveKeys(unnamed), for: unnamed, self)
    // Relationships lead both ways: what a node refers to may be any other, so all are kept as they were.
    let before = nodes
    var values: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []
    for object in [work.updated, work.deleted].joined() {
      guard let node = stored(object.key, object.layout)?.node else { continue }
      values.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
    }
    do {
      apply(work)
      try save()
      savedMetadata = metadata
    } catch {
      nodes = before
      for (node, values) in values { node.propertyCache = values }
      throw error
    }
    return publish(work, work.keys)
  }

  private final func findConflicts(_ work: SaveWork) throws {
    for object in [work.updated, work.deleted].joined() {
      let stored = stored(object.key, object.layout)
      // An object that was deleted as a fault has read nothing that could be out of date.
      guard let read = object.snapshot?.version else { continue }
      if stored?.version != read { throw mergeError(object, version: stored?.version) }
    }
  }

  private final func apply(_ work: SaveWork) {
    // Every new object has its node before the first relationship is set.
    for object in work.inserted { add(newCacheNode(for: object)) }
    let gone = Set(work.deleted.compactMap { stored($0.key, $0.layout)?.node })
    if !gone.isEmpty {
      willRemoveCacheNodes(gone)
      for node in gone { nodes[node.objectID.entity.layout.rootNumber]?[node.objectID.key] = nil }
    }
    for object in work.inserted { update(object, version: 1) }
    for object in work.updated { update(object, version: (object.snapshot?.version ?? 0) + 1) }
  }

  private final func update(_ object: NSManagedObject, version: Int64) {
    guard let node = stored(object.key, object.layout)?.node else { return }
    updateCacheNode(node, from: object)
    nodes[object.layout.rootNumber]?[object.key]?.version = version
  }

  /// The default of `updateCacheNode(_:from:)`.
  final func copyValues(of object: NSManagedObject, to node: NSAtomicStoreCacheNode) {
    for slot in object.layout.slots where !slot.isTransient && !slot.isElement {
      switch slot.kind {
      case .toOne:
        node.setValue(object.toOne(slot).flatMap { cacheNode(for: $0.objectID) }, forKey: slot.name)
      case .toMany:
        let state = object.relations?.states[slot.relationIndex] as? ToManyState
        // Walking a relationship that nobody has changed would read it for nothing.
        guard state?.hasChanges == true || node.propertyCache?.object(forKey: slot.name) == nil else { continue }
        let members = object.members(slot).compactMap { cacheNode(for: $0.objectID) }
        node.setValue(
          slot.relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: slot.name)
      case .transformable:
        switch object.currentValue(slot) {
        // An object of its own, which nobody else changes.
        case .transformed(let value): node.setValue(value.copy(for: slot.attribute), forKey: slot.name)
        case .data where node.propertyCache?.object(forKey: slot.name) != nil: continue
        default: node.setValue(object.attributeValue(slot), forKey: slot.name)
        }
      default:
        node.setValue(object.attributeValue(slot), forKey: slot.name)
      }
    }
  }

  /// Writes down in the metadata which model the store is of.
  final func describeModel() {
    var described = StoreMetadata(identifier: identifier, properties: metadata ?? [:])
    described.describe(model, entities: entitiesHeld)
    metadata = described.dictionary
  }
}
