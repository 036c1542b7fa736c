import Foundation
import OpenCocoaFoundation

/// One object of an atomic store, in memory.
///
/// Attributes have the values that managed objects have. A to-one relationship is the destination's node, a to-many
/// relationship a set or an ordered set of nodes. Nodes belong to their store, which uses them under its lock.
open class NSAtomicStoreCacheNode: NSObject, NSKeyValueCoding {
  /// The ID of the object that has these values.
  public final let objectID: NSManagedObjectID
  /// The values by property name; nil until the first value is set.
  open var propertyCache: NSMutableDictionary?

  /// Makes a node without values.
  public init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  /// Returns the value of a property, or nil; the keys `objectID`, `entity` and `self` have values, too.
  open func value(forKey key: String) -> Any? {
    if let value = propertyCache?.object(forKey: key) { return StoredValue.unwrapped(value) }
    switch key {
    case "objectID": return objectID
    case "entity": return objectID.entity
    case "self": return self
    default:
      // A to-many relationship without members is an empty set, as it is for managed objects.
      guard let slot = objectID.entity.layout.slot(named: key), slot.kind == .toMany else { return nil }
      return slot.isOrdered ? NSOrderedSet() : NSSet()
    }
  }

  /// Sets the value of a property.
  open func setValue(_ value: Any?, forKey key: String) {
    if let value = StoredValue.unwrapped(value) {
      if propertyCache == nil { propertyCache = NSMutableDictionary() }
      propertyCache?.setObject(value, forKey: NSString(string: key))
    } else {
      propertyCache?.removeObject(forKey: key)
    }
  }

  /// Returns the value at the end of a path of keys.
  open func value(forKeyPath keyPath: String) -> Any? {
    EvaluatorQuestion.answering(self, otherwise: nil) { try KeyValueCoding.askedValue(of: self, forKeyPath: keyPath) }
  }

  /// Adds and removes members of an unordered to-many relationship; only removes members of an ordered one.
  final func change(_ name: String, adding new: [NSAtomicStoreCacheNode], removing gone: [NSAtomicStoreCacheNode]) {
    let set: NSMutableSet
    switch propertyCache?.object(forKey: name) {
    case let ordered as NSOrderedSet:
      // Callers only remove members from an ordered relationship.
      let rest = NSMutableOrderedSet(orderedSet: ordered)
      rest.removeObjects(in: gone)
      return setValue(rest, forKey: name)
    case let known as NSSet: set = known.mutableCopy() as? NSMutableSet ?? NSMutableSet()
    default: set = NSMutableSet(array: members(name))
    }
    for node in gone { set.remove(node) }
    for node in new { set.add(node) }
    setValue(set, forKey: name)
  }

  /// Returns the nodes of a relationship.
  final func members(_ name: String) -> [NSAtomicStoreCacheNode] {
    switch value(forKey: name) {
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSAtomicStoreCacheNode }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSAtomicStoreCacheNode }
    case let array as NSArray: array.compactMap { $0 as? NSAtomicStoreCacheNode }
    case let node as NSAtomicStoreCacheNode: [node]
    default: []
    }
  }
}

// Predicates compare a node by the ID of its object.
extension NSAtomicStoreCacheNode: PredicateIdentity {
  package var predicateIdentity: NSObject { objectID }

  package var isIdentityLasting: Bool { true }
}

extension NSAtomicStoreCacheNode {
  /// Sets a relationship to one node, a set of nodes or an ordered set of nodes, whichever the relationship needs.
  final func setRelationship(_ slot: PropertySlot, _ members: [NSAtomicStoreCacheNode]) {
    if slot.kind == .toOne {
      setValue(members.first, forKey: slot.name)
    } else {
      setValue(slot.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: slot.name)
    }
  }
}
