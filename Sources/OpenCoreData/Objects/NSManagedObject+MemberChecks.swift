import Foundation
import OpenCocoaFoundation

// What may be a member of a relationship; anything else stops the program.
extension NSManagedObject {
  /// The objects of a set, an array or nil.
  static func collection(_ value: Any?, _ slot: PropertySlot, entity: String) -> ContiguousArray<NSManagedObject> {
    switch StoredValue.unwrapped(value) {
    case nil: return []
    case let set as NSSet: return ContiguousArray(set.allObjects.compactMap { $0 as? NSManagedObject })
    case let set as NSOrderedSet: return ContiguousArray(set.array.compactMap { $0 as? NSManagedObject })
    case let set as Set<NSManagedObject>: return ContiguousArray(set)
    case let array as [NSManagedObject]: return ContiguousArray(array)
    case let other?: refuse(other, slot, entity: entity)
    }
  }

  /// What a property is set to by its key must be a set: an array stops the program.
  static func requireSet(_ value: Any?, _ slot: PropertySlot, entity: String) {
    if let array = StoredValue.unwrapped(value), array is NSArray || array is [Any] {
      refuse(array, slot, entity: entity)
    }
  }

  private static func refuse(_ value: Any, _ slot: PropertySlot, entity: String) -> Never {
    raise(
      .invalidArgument,
      "Unacceptable type of value for to-many relationship: property = \"\(slot.name)\"; desired type = "
        + "\(slot.isOrdered ? "NSOrderedSet" : "NSSet"); given type = \(type(of: value)); entity = \(entity).")
  }

  /// Whether a collection of members has no order.
  static func isSet(_ value: Any?) -> Bool {
    let value = StoredValue.unwrapped(value)
    return value is NSSet || value is Set<NSManagedObject>
  }

  /// The object that `value` is; another type than the relationship's stops the program.
  final func member(_ value: Any?, _ slot: PropertySlot) -> NSManagedObject? {
    guard let value = StoredValue.unwrapped(value) else { return nil }
    guard let object = value as? NSManagedObject else { wrongType(slot, "\(type(of: value))") }
    checkMember(object, slot)
    return object
  }

  private final func wrongType(_ slot: PropertySlot, _ given: String) -> Never {
    raise(
      .invalidArgument,
      "Unacceptable type of value for to-\(slot.kind == .toOne ? "one" : "many") relationship: property = "
        + "\"\(slot.name)\"; desired type = \(slot.destination?.name ?? "?"); given type = \(given); "
        + "entity = \(layout.name).")
  }

  /// Checks that `object` may be a member of the relationship, and takes one without context into this one's.
  final func checkMember(_ object: NSManagedObject, _ slot: PropertySlot) {
    checkQueue(slot.name)
    guard let destination = slot.destination,
      object.layout.entity === destination || object.layout.entity.isKindOf(entity: destination)
    else {
      let isSameModel = object.layout.entity.managedObjectModel === layout.entity.managedObjectModel
      wrongType(slot, object.layout.name + (isSameModel ? "" : " of another copy of the model"))
    }
    guard object.table !== table else { return }
    let context = table?.context, other = object.table?.context
    if let context, object.isDetached {
      // One that was deleted and saved is not taken back: the save reports it as a dangling reference.
      if object.snapshot == nil { context.insert(object) }
    } else if let context, let other, context !== other {
      raise(
        .invalidArgument,
        "Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts "
          + "(source = \(objectID), destination = \(object.objectID))")
    } else if isDetached, let other {
      other.insert(self)
    }
  }
}
