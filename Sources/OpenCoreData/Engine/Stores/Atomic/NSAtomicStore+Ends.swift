import Foundation
import OpenCocoaFoundation

// Both ends of relationships in the nodes of an atomic store. As in a table, the member of a one-to-many relationship says
// which owner it has, and of a many-to-many relationship there is one pair or none. The saving context need not know of all
// owners: others may have given the member to one meanwhile.
extension NSAtomicStore {
  /// Takes the node of an object that is about to be updated out of the owners that it loses.
  final func leaveFormerOwners(_ object: NSManagedObject, _ node: NSAtomicStoreCacheNode, _ log: NodeLog) {
    guard node.propertyCache != nil else { return }
    for place in object.layout.relationshipPlaces where object.layout.slots[place].kind == .toOne {
      let slot = object.layout.slots[place]
      guard slot.inverseIsToMany || slot.hasFurtherEnds, !slot.isTransient,
        let owner = node.value(forKey: slot.name) as? NSAtomicStoreCacheNode, owner !== destination(of: object, slot)
      else { continue }
      for back in slot.lists.compactMap({ owner.objectID.entity.layout.slot($0) }) {
        log.keepValues(of: owner)
        owner.change(back.name, adding: [], removing: [node])
      }
    }
  }

  /// Makes lists of members agree with the members, once all nodes have their values: the lists that an updated object
  /// belongs to, and its own.
  final func matchLists(of object: NSManagedObject, _ log: NodeLog) {
    guard let node = stored(object.key, object.layout)?.node, node.propertyCache != nil else { return }
    for place in object.layout.relationshipPlaces {
      let slot = object.layout.slots[place]
      if slot.isTransient { continue }
      if slot.kind == .toOne {
        guard slot.inverseIsToMany || slot.hasFurtherEnds,
          object.changes.map({ !$0.values[slot.index].isUnset }) ?? false
        else { continue }
        for list in slot.lists { join(node, slot, list, log) }
      } else if let inverse = slot.inverse, let state = object.relations?.toMany(slot.relationIndex),
        !state.added.isEmpty || !state.removed.isEmpty
      {
        if slot.inverseIsToMany {
          matchOtherLists(of: node, inverse, state, log)
        } else {
          matchMembers(of: node, slot, inverse, state, log)
        }
      }
    }
  }

  private final func join(
    _ node: NSAtomicStoreCacheNode, _ slot: PropertySlot, _ inverse: _PropertyKey, _ log: NodeLog
  ) {
    guard let owner = node.value(forKey: slot.name) as? NSAtomicStoreCacheNode,
      let back = owner.objectID.entity.layout.slot(inverse), !owner.has(node, back)
    else { return }
    log.keepValues(of: owner)
    owner.append(node, back)
  }

  /// Adds the node to the lists of members that were added, and takes it out of those of members that were removed.
  private final func matchOtherLists(
    of node: NSAtomicStoreCacheNode, _ inverse: _PropertyKey, _ state: ToManyState, _ log: NodeLog
  ) {
    for (objects, isMember) in [(state.added, true), (state.removed, false)] {
      for object in objects {
        guard let member = stored(object.key, object.layout)?.node, member.propertyCache != nil,
          let back = object.layout.slot(inverse), member.has(node, back) != isMember
        else { continue }
        log.keepValues(of: member)
        if isMember { member.append(node, back) } else { member.change(back.name, adding: [], removing: [node]) }
      }
    }
  }

  private final func matchMembers(
    of node: NSAtomicStoreCacheNode, _ slot: PropertySlot, _ inverse: _PropertyKey, _ state: ToManyState, _ log: NodeLog
  ) {
    for object in [state.added, state.removed].joined() {
      guard let member = stored(object.key, object.layout)?.node, let back = object.layout.slot(inverse) else {
        continue
      }
      let isMember = member.value(forKey: back.name) as? NSAtomicStoreCacheNode === node
      if isMember == node.has(member, slot) { continue }
      log.keepValues(of: node)
      if isMember { node.append(member, slot) } else { node.change(slot.name, adding: [], removing: [member]) }
    }
  }
}

extension NSAtomicStoreCacheNode {
  /// Whether a to-many relationship has that member.
  fileprivate final func has(_ member: NSAtomicStoreCacheNode, _ slot: PropertySlot) -> Bool {
    switch value(forKey: slot.name) {
    case let set as NSSet: set.contains(member)
    case let set as NSOrderedSet: set.contains(member)
    default: members(slot.name).contains(member)
    }
  }

  /// Adds a member to a to-many relationship, at the end of an ordered one.
  fileprivate final func append(_ member: NSAtomicStoreCacheNode, _ slot: PropertySlot) {
    if slot.isOrdered {
      setRelationship(slot, members(slot.name) + [member])
    } else {
      change(slot.name, adding: [member], removing: [])
    }
  }
}
