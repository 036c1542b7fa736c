import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// Objects of a context as changes of a save.
extension WebIncrementalStore {
  func insertion(_ object: NSManagedObject) throws -> SaveMessage.Change {
    try change(object, version: nil, names: Set(object.entity.propertiesByName.keys))
  }

  func update(_ object: NSManagedObject) throws -> SaveMessage.Change {
    try change(object, version: version(object), names: Set(object.changedValues().keys))
  }

  func untouched(_ object: NSManagedObject) -> SaveMessage.Change? {
    identify(object.objectID).map { SaveMessage.Change(id: $0, version: version(object)) }
  }

  /// The version that an object was read in, as the service counts; nil for a fault, which has read nothing.
  private func version(_ object: NSManagedObject) -> Int64? {
    guard object.rowVersion > 0, let id = identify(object.objectID) else { return nil }
    return object.rowVersion - memory.withLock { $0.shifts[id] ?? 0 }
  }

  func change(_ object: NSManagedObject, version: Int64?, names: Set<String>) throws -> SaveMessage.Change {
    let isNew = version == nil
    var change = SaveMessage.Change(id: try name(object), version: version)
    var (values, one, many) = ([String: JSON](), [String: String?](), [String: SaveMessage.Members]())
    for (name, attribute) in object.entity.attributesByName
    where names.contains(name) && !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      values[name] = try AttributeCoding.json(object.value(forKey: name), of: attribute)
    }
    for (name, relationship) in object.entity.relationshipsByName
    where names.contains(name) && !relationship.isTransient {
      if relationship.isToMany {
        if let members = try members(of: object, relationship, isNew: isNew) { many[name] = members }
      } else {
        one.updateValue(try (object.value(forKey: name) as? NSManagedObject).map(self.name), forKey: name)
      }
    }
    (change.values, change.one, change.many) = (values, one, many)
    return change
  }

  /// The members to send; nil where the other end says the same.
  private func members(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription, isNew: Bool
  ) throws -> SaveMessage.Members? {
    var members = SaveMessage.Members()
    let value = object.value(forKey: relationship.name)
    if relationship.isOrdered {
      let all = try ((value as? NSOrderedSet)?.array ?? []).compactMap { try ($0 as? NSManagedObject).map(name) }
      members.all = all
      return isNew && all.isEmpty ? nil : members
    }
    if let inverse = relationship.inverseRelationship {
      if !inverse.isToMany || inverse.isOrdered { return nil }
      // Both ends have changed: that with the lesser name tells it.
      if relationship.path > inverse.path { return nil }
    }
    let now = try Set(((value as? NSSet)?.allObjects ?? []).compactMap { try ($0 as? NSManagedObject).map(name) })
    let stored = isNew ? nil : object.committedValues(forKeys: [relationship.name])[relationship.name] as? NSSet
    let before = Set(
      (stored?.allObjects ?? []).compactMap { ($0 as? NSManagedObject).flatMap { identify($0.objectID) } })
    (members.added, members.removed) = (now.subtracting(before).sorted(), before.subtracting(now).sorted())
    return now == before ? nil : members
  }

  private func name(_ object: NSManagedObject) throws -> String {
    if let id = identify(object.objectID) { return id }
    throw ProtocolError("The object \(object.objectID) is not one of this service's.")
  }
}
