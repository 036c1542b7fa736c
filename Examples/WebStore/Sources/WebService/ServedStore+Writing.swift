import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// The changes of a save, in the context of saves.
extension ServedStore {
  /// Makes the changes in the writer.
  /// - Returns: the objects that are inserted and updated.
  func write(_ message: SaveMessage) throws -> [NSManagedObject] {
    let old = message.updated + message.deleted + message.locked
    var named: Set<String> = []
    for change in message.inserted + old where !named.insert(change.id).inserted {
      throw ServiceError(400, "\(change.id) is in the save twice.")
    }
    var objects = try existing(old.map(\.id) + message.inserted.map(\.id), in: writer)
    try findConflicts(message, objects)
    for change in message.inserted { objects[change.id] = try insert(change) }
    for change in message.inserted + message.updated {
      guard let object = objects[change.id] else { continue }
      try set(change, object, objects)
    }
    for change in message.deleted { if let object = objects[change.id] { writer.delete(object) } }
    return (message.inserted + message.updated).compactMap { objects[$0.id] }
  }

  private func findConflicts(_ message: SaveMessage, _ objects: [String: NSManagedObject]) throws {
    var failure = Failure("Others have changed what this save writes.", code: NSManagedObjectMergeError)
    var (conflicts, gone) = ([Document](), [String]())
    for change in message.updated + message.deleted + message.locked {
      if let object = objects[change.id] {
        if let version = change.version, version != object.rowVersion { conflicts.append(try document(object)) }
      } else if change.version != nil {
        gone.append(change.id)
      }
    }
    // What both sides have deleted is no conflict.
    gone.removeAll { id in message.deleted.contains { $0.id == id } }
    for change in message.inserted { if let object = objects[change.id] { conflicts.append(try document(object)) } }
    if conflicts.isEmpty, gone.isEmpty { return }
    (failure.conflicts, failure.gone) = (conflicts, gone)
    throw ServiceError(409, failure)
  }

  private func insert(_ change: SaveMessage.Change) throws -> NSManagedObject {
    let identifier = try objectID(change.id)
    let entity = identifier.entity, root = Self.root(entity).name ?? ""
    if entity.isAbstract { throw ServiceError(400, "\(change.id): the entity is abstract.") }
    if identifier.primaryKey > given.withLock({ $0[root] ?? 0 }) {
      // It may have been given out before the service was started; the numbers that are given out from now on are greater.
      let context = newContext()
      let next = try context.performAndWait {
        defer { context.reset() }
        return try newIDs(entity, 1, context)
      }
      if try next.allSatisfy({ identifier.primaryKey >= (try objectID($0)).primaryKey }) {
        throw ServiceError(400, "\(change.id): the service has given out no such ID. POST /ids gives some.")
      }
    }
    let object = NSManagedObject(entity: entity, insertInto: writer)
    writer.give(identifier, to: object)
    return object
  }

  private func set(_ change: SaveMessage.Change, _ object: NSManagedObject, _ objects: [String: NSManagedObject]) throws
  {
    func member(_ id: String, _ relationship: NSRelationshipDescription) throws -> NSManagedObject {
      let member = try objects[id] ?? writer.object(with: objectID(id))
      guard let wanted = relationship.destinationEntity, member.entity.isKindOf(entity: wanted) else {
        throw ServiceError(400, "\(change.id).\(relationship.name): \(id) is of the wrong entity.")
      }
      return member
    }
    func relationship(_ name: String, toMany: Bool) throws -> NSRelationshipDescription {
      if let found = object.entity.relationshipsByName[name], found.isToMany == toMany, !found.isTransient {
        return found
      }
      throw ServiceError(
        400, "\(change.id): there is no \(toMany ? "to-many" : "to-one") relationship “\(name.prefix(100))”.")
    }
    for (name, json) in change.values ?? [:] {
      guard let attribute = object.entity.attributesByName[name], !attribute.isTransient,
        !(attribute is NSDerivedAttributeDescription)
      else { throw ServiceError(400, "\(change.id): there is no attribute “\(name.prefix(100))” that could be set.") }
      object.setValue(try AttributeCoding.value(json, of: attribute), forKey: name)
    }
    for (name, id) in change.one ?? [:] {
      let description = try relationship(name, toMany: false)
      object.setValue(try id.map { try member($0, description) }, forKey: name)
    }
    for (name, members) in change.many ?? [:] {
      let description = try relationship(name, toMany: true)
      guard (members.all != nil) == description.isOrdered,
        members.all == nil || members.added == nil && members.removed == nil
      else {
        throw ServiceError(
          400,
          "\(change.id).\(name): \(description.isOrdered ? "all, the members in their order," : "added and removed") is expected."
        )
      }
      if let all = members.all {
        object.setValue(NSOrderedSet(array: try all.map { try member($0, description) }), forKey: name)
        continue
      }
      let set = object.mutableSetValue(forKey: name)
      for id in members.removed ?? [] { set.remove(try member(id, description)) }
      for id in members.added ?? [] { set.add(try member(id, description)) }
    }
  }
}
