import Foundation
import OpenCocoaFoundation
import OpenCoreData

extension StoreReader {
  /// Returns an object with its values, its to-one relationships, and the numbers of members of its to-many relationships;
  /// nil if the object does not exist.
  /// - Parameter reference: The object, by its own entity or a superentity.
  public func object(_ reference: ObjectReference) throws -> StoredObject? {
    try asking { store in
      guard let id = store.objectID(of: reference.inspected) else {
        // Throws for an unknown entity, with the names of the entities that there are.
        _ = try store.valueColumns(of: reference.entity)
        return nil
      }
      var found: ObjectReference?
      var query = StoreQuery(entity: reference.entity)
      query.predicate = NSPredicate(format: "SELF == %@", id)
      try store.rows(of: query) { row in
        if case .object(let reference) = row.first { found = ObjectReference(reference) }
      }
      return try found.flatMap { try object($0, NSPredicate(format: "SELF == %@", id), store) }
    }
  }

  private func object(
    _ reference: ObjectReference, _ predicate: NSPredicate, _ store: any QueriedStore
  ) throws -> StoredObject? {
    var query = StoreQuery(entity: reference.entity)
    query.predicate = predicate
    query.columns = try store.valueColumns(of: reference.entity)
    var values: [StoreValue]?
    try store.rows(of: query) { values = $0.dropFirst().map(StoreValue.init) }
    guard let values else { return nil }
    let entity = store.model?.entitiesByName[reference.entity]
    var attributes: [StoredObject.Attribute] = []
    var toOnes: [StoredObject.ToOne] = []
    for (name, value) in zip(query.columns, values) {
      guard entity?.relationshipsByName[name] != nil else {
        attributes.append(.init(keyPath: name, value: value))
        continue
      }
      let destination: ObjectReference? = if case .object(let object) = value { object } else { nil }
      toOnes.append(.init(name: name, destination: destination))
    }
    let toManys = try store.toManyNames(of: reference.entity).map { name in
      StoredObject.ToMany(
        name: name, count: try store.memberCount(of: reference.inspected, name),
        isOrdered: entity?.relationshipsByName[name]?.isOrdered ?? false)
    }
    return StoredObject(reference: reference, attributes: attributes, toOnes: toOnes, toManys: toManys)
  }

  /// Returns members of an object's to-many relationship: in their order if they have one, otherwise by key.
  /// - Parameters:
  ///   - object: The object.
  ///   - relationship: The name of one of the object's to-many relationships.
  ///   - limit: The largest number; 0 for all.
  ///   - offset: The number of members that are left out at the beginning.
  public func members(
    of object: ObjectReference, relationship: String, limit: Int = 0, offset: Int = 0
  ) throws -> [ObjectReference] {
    try asking { store in
      try store.members(of: object.inspected, relationship, limit: limit, offset: offset).map(ObjectReference.init)
    }
  }

  /// Returns the objects that have an object in one of their relationships, one-way relationships included.
  ///
  /// If a relationship has no index, all objects of its entity are read.
  /// - Parameters:
  ///   - object: The object to which the relationships lead.
  ///   - limit: The largest number for each relationship; 0 for all.
  public func referrers(of object: ObjectReference, limit: Int = 0) throws -> [Referrer] {
    try asking { store in
      guard let id = store.objectID(of: object.inspected), let model = store.model else {
        _ = try store.valueColumns(of: object.entity)
        return []
      }
      let held = try Set(store.concreteEntities(of: nil))
      var found: [Referrer] = []
      for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
        let inherited = entity.superentity?.relationshipsByName ?? [:]
        let names = entity.relationshipsByName.keys.filter { inherited[$0] == nil }.sorted()
        for name in names {
          guard let relationship = entity.relationshipsByName[name], !relationship.isTransient,
            let destination = relationship.destinationEntity, id.entity.isKindOf(entity: destination),
            let owner = entity.name,
            held.contains(where: { model.entitiesByName[$0]?.isKindOf(entity: entity) == true })
          else { continue }
          try checkCancellation()
          var query = StoreQuery(entity: owner)
          query.predicate = NSPredicate(format: relationship.isToMany ? "ANY %K == %@" : "%K == %@", name, id)
          query.limit = limit
          try store.rows(of: query) { row in
            guard case .object(let referrer) = row.first else { return }
            found.append(Referrer(relationship: name, entity: owner, object: ObjectReference(referrer)))
          }
        }
      }
      return found
    }
  }
}
