import CoreData
import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

// Objects by their IDs, and members. What is asked of one context is run on its queue.
extension ServedStore {
  func objects(_ message: ObjectsMessage) async throws -> ObjectsAnswer {
    try require(message.ids)
    let context = newContext()
    return try await context.perform { [self] in
      let found = try existing(message.ids, in: context)
      return ObjectsAnswer(
        documents: try message.ids.compactMap { id in try found[id].map { try document($0) } },
        gone: message.ids.filter { found[$0] == nil })
    }
  }

  func members(_ id: String, _ relationship: String) async throws -> MembersAnswer {
    let context = newContext()
    return try await context.perform { [self] in
      guard let owner = try existing([id], in: context)[id] else {
        throw ServiceError(gone: id, "There is no object \(id).")
      }
      guard let description = owner.entity.relationshipsByName[relationship], description.isToMany else {
        throw ServiceError(400, "\(owner.entity.name ?? "") has no to-many relationship “\(relationship.prefix(100))”.")
      }
      let members = Self.members(of: owner, description)
      let first = try fetch(members.prefix(limits.pageSize).map(\.objectID), in: context)
      return MembersAnswer(
        members: members.map { Self.name($0.objectID) }, documents: try first.map { try document($0) })
    }
  }

  static func members(of owner: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    let value = owner.value(forKey: relationship.name)
    if let ordered = value as? NSOrderedSet { return ordered.array.compactMap { $0 as? NSManagedObject } }
    let members = ((value as? NSSet)?.allObjects ?? []).compactMap { $0 as? NSManagedObject }
    return members.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
  }

  /// The objects of those IDs that there are, by the text of the ID: a statement for each root entity.
  func existing(_ ids: [String], in context: NSManagedObjectContext) throws -> [String: NSManagedObject] {
    let wanted = try ids.map { (id: $0, objectID: try objectID($0)) }
    var found: [NSManagedObjectID: NSManagedObject] = [:]
    for object in try fetch(wanted.map(\.objectID), in: context) { found[object.objectID] = object }
    return Dictionary(
      wanted.compactMap { wanted in
        // An object may be named by an entity above its own.
        guard let object = found[wanted.objectID], object.entity.isKindOf(entity: wanted.objectID.entity) else {
          return nil
        }
        return (wanted.id, object)
      }
    ) { first, _ in first }
  }

  /// The objects of IDs, in the order of these; those that are gone are left out.
  func fetch(_ identifiers: [NSManagedObjectID], in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    var objects: [String: [Int64: NSManagedObject]] = [:]
    for (root, group) in Dictionary(grouping: identifiers, by: { Self.root($0.entity) }) {
      let request = NSFetchRequest<NSManagedObject>()
      request.entity = root
      request.predicate = NSPredicate(format: "SELF IN %@", group)
      request.returnsObjectsAsFaults = false
      let found = try context.fetch(request)
      objects[root.name ?? ""] = Dictionary(found.map { ($0.objectID.primaryKey, $0) }) { first, _ in first }
    }
    return identifiers.compactMap { objects[Self.root($0.entity).name ?? ""]?[$0.primaryKey] }
  }
}
