import Foundation
import OpenCocoaFoundation

// Checks of the members of relationships. A value that cannot be a member stops the program.
extension NSManagedObject {
  /// The objects of a set, an array or nil.
  static func collection(_ value: Any?, _ slot: PropertySlot, entity: String) -> ContiguousArray<NSManagedObject> {
    switch StoredValue.unwrapped(value) {
    case nil: return []
    case let set as NSSet: return ContiguousArray(set.allObjects.compactMap { $0 as? NSManagedObject })
    case let set as NSOrderedSet: return ContiguousArray(set.array.compactMap { $0 as? NSManagedObject })
    case let set as Set<NSManagedObject>: return ContiguousArray(set)
    case let array as [NSManagedObject]: return ContiguousArray(array)
    case let other?: raise(.invalidArgument, noSet(other, slot, entity: entity) + " " + StoredValue.checkedWay)
    }
  }

  /// Stops the program for an array: a to-many property that is set by its key needs a set.
  static func requireSet(_ value: Any?, _ slot: PropertySlot, entity: String) {
    if let array = StoredValue.unwrapped(value), array is NSArray || array is [Any] {
      raise(.invalidArgument, noSet(array, slot, entity: entity) + " " + StoredValue.checkedWay)
    }
  }

  /// The reason why a value cannot be set for a to-many relationship, apart from its members; nil for a set, and for
  /// nil.
  static func setProblem(_ value: Any?, _ slot: PropertySlot, entity: String) -> String? {
    switch StoredValue.unwrapped(value) {
    case nil, is NSSet, is NSOrderedSet, is Set<NSManagedObject>: nil
    case let other?: noSet(other, slot, entity: entity)
    }
  }

  private static func noSet(_ value: Any, _ slot: PropertySlot, entity: String) -> String {
    "Unacceptable type of value for to-many relationship: property = \"\(slot.name)\"; desired type = "
      + "\(slot.isOrdered ? "NSOrderedSet" : "NSSet"); given type = \(type(of: value)); entity = \(entity)."
  }

  /// Whether a collection of members has no order.
  static func isSet(_ value: Any?) -> Bool {
    let value = StoredValue.unwrapped(value)
    return value is NSSet || value is Set<NSManagedObject>
  }

  /// The object that `value` is; another type than the relationship's stops the program.
  final func member(_ value: Any?, _ slot: PropertySlot) -> NSManagedObject? {
    guard let value = StoredValue.unwrapped(value) else { return nil }
    guard let object = value as? NSManagedObject else {
      raise(.invalidArgument, wrongType(slot, "\(type(of: value))") + " " + StoredValue.checkedWay)
    }
    checkMember(object, slot)
    return object
  }

  private final func wrongType(_ slot: PropertySlot, _ given: String) -> String {
    "Unacceptable type of value for to-\(slot.kind == .toOne ? "one" : "many") relationship: property = "
      + "\"\(slot.name)\"; desired type = \(slot.destination?.name ?? "?"); given type = \(given); "
      + "entity = \(layout.name)."
  }

  /// The reason why a value cannot be a member of a relationship; nil if it can, and for nil.
  final func memberProblem(_ value: Any?, _ slot: PropertySlot) -> String? {
    guard let value = StoredValue.unwrapped(value) else { return nil }
    guard let object = value as? NSManagedObject else { return wrongType(slot, "\(type(of: value))") }
    if let problem = entityProblem(object, slot) { return problem }
    if object.table !== table, let context = table?.context, !object.isDetached, let other = object.table?.context,
      context !== other
    {
      return differentContexts(object, slot)
    }
    return nil
  }

  private final func entityProblem(_ object: NSManagedObject, _ slot: PropertySlot) -> String? {
    if let destination = slot.destination,
      object.layout.entity === destination || object.layout.entity.isKindOf(entity: destination)
    {
      return nil
    }
    let isSameModel = object.layout.entity.managedObjectModel === layout.entity.managedObjectModel
    return wrongType(slot, object.layout.name + (isSameModel ? "" : " of another copy of the model"))
  }

  private final func differentContexts(_ object: NSManagedObject, _ slot: PropertySlot) -> String {
    "Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts "
      + "(source = \(objectID), destination = \(object.objectID))"
  }

  /// Checks that `object` may be a member of the relationship. Where one of the two objects is in no context, inserts it
  /// into the other's context.
  final func checkMember(_ object: NSManagedObject, _ slot: PropertySlot) {
    checkQueue(slot.name)
    if let problem = entityProblem(object, slot) { raise(.invalidArgument, problem) }
    guard object.table !== table else { return }
    let context = table?.context, other = object.table?.context
    if let context, object.isDetached {
      // An object whose deletion was saved is not inserted again: the save reports it as a dangling reference.
      if object.snapshot == nil { context.insert(object) }
    } else if let context, let other, context !== other {
      raise(.invalidArgument, differentContexts(object, slot))
    } else if isDetached, let other {
      other.insert(self)
    }
  }
}
