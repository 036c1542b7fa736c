import Foundation
import OpenCocoaFoundation

/// Migrates a store that is one file by an inferred mapping. The nodes are read with the old model and converted, and the
/// file of the new nodes replaces the old file in one step. Objects keep their identifiers.
struct AtomicMigration {
  let place: MigrationPlace
  let configuration: String?
  let migration: InferredMigration

  /// - Throws: 134140 if no mapping can be inferred, 134110 for values that the new model cannot have, and the errors of
  ///   reading and writing. Then the store is as it was.
  func run() throws {
    try migration.check(holding: nil)
    try WrittenMeanwhile.retrying { try migrate() }
  }

  /// - Throws: 134050 if somebody else has written to the file meanwhile.
  private func migrate() throws {
    let before = NSPersistentStoreCoordinator(managedObjectModel: migration.source)
    let after = NSPersistentStoreCoordinator(managedObjectModel: migration.destination)
    let metadata = try place.metadata()
    if migration.isDone(metadata) { return }
    var options = place.options ?? [:]
    for key in MigrationPlace.automaticOptions { options[key] = nil }
    // The store may only hold the entities of one configuration.
    let names = [configuration, nil] + migration.source.configurations.map(Optional.some)
    let name = names.first { migration.source.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    guard let old = try before.open(place.type, name ?? nil, place.url, options) as? AtomicFileStore else { return }
    defer { old.close() }
    // The new store is only in memory.
    let nowhere = URL(fileURLWithPath: "/dev/null")
    guard let new = try after.open(place.type, configuration, nowhere, options) as? AtomicFileStore
    else { return }
    defer { new.close() }
    try fill(new, from: old)
    try old.replaceFile(byContentsOf: new)
  }

  private func fill(_ new: AtomicFileStore, from old: AtomicFileStore) throws {
    let changes = Dictionary(
      migration.entities.compactMap { change in change.source?.name.map { ($0, change) } },
      uniquingKeysWith: { first, _ in first })
    var nodes: [ObjectIdentifier: (old: NSAtomicStoreCacheNode, new: NSAtomicStoreCacheNode, change: EntityMigration)] =
      [:]
    let all = old.cacheNodes()
    for node in all {
      guard let name = node.objectID.entity.name, let change = changes[name], let entity = change.destination else {
        continue
      }
      if entity.isAbstract {
        throw failure(.abstractEntity, change.name, nil, "it is abstract now, and there is an object that is of it")
      }
      let identifier = new.objectID(for: entity, withReferenceObject: old.referenceObject(for: node.objectID))
      nodes[ObjectIdentifier(node)] = (node, NSAtomicStoreCacheNode(objectID: identifier), change)
    }
    for (before, after, change) in nodes.values {
      for attribute in change.attributes where !attribute.isDerived {
        let value = try attribute.value(of: attribute.source.flatMap { before.value(forKey: $0.name) })
        if value == nil, !attribute.destination.isOptional, attribute.elements.isEmpty {
          throw failure(.missingValue, change.name, attribute.path, "it is not optional, and an object has no value")
        }
        after.setValue(value, forKey: attribute.destination.name)
      }
      for relationship in change.relationships {
        guard let source = relationship.source else { continue }
        let members = before.members(source.name).compactMap { nodes[ObjectIdentifier($0)]?.new }
        try set(relationship.destination, of: after, to: members, change)
      }
    }
    try completeInverses(nodes.values.map { ($0.new, $0.change) })
    new.lastReference = max(new.lastReference, old.lastReference)
    new.addCacheNodes(Set(nodes.values.map(\.new)))
    let keys = StoreMetadata.frameworkKeys.union([NSStoreUUIDKey])
    let own = (old.metadata ?? [:]).filter { !keys.contains($0.key) }
    new.metadata = (new.metadata ?? [:]).merging(own) { $1 }
    new.identifier = old.identifier
  }

  private func set(
    _ relationship: NSRelationshipDescription, of node: NSAtomicStoreCacheNode, to members: [NSAtomicStoreCacheNode],
    _ change: EntityMigration
  ) throws {
    let members = members.filter { member in
      relationship.destinationEntity.map { member.objectID.entity.isKindOf(entity: $0) } ?? true
    }
    if relationship.isToMany {
      node.setValue(
        relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
      return
    }
    if members.count > 1 {
      throw failure(
        .severalMembers, change.name, relationship.name, "it leads to one object, and an object had several")
    }
    node.setValue(members.first, forKey: relationship.name)
  }

  /// Gives relationships that are new in the model the members that follow from their inverse relationships.
  private func completeInverses(_ nodes: [(node: NSAtomicStoreCacheNode, change: EntityMigration)]) throws {
    var added: [String: [ObjectIdentifier: [NSAtomicStoreCacheNode]]] = [:]
    for (node, change) in nodes {
      for relationship in change.relationships where relationship.source != nil {
        guard let inverse = relationship.destination.otherEnd, let name = inverse.owner?.name else {
          continue
        }
        for member in node.members(relationship.destination.name) {
          added["\(name).\(inverse.name)", default: [:]][ObjectIdentifier(member), default: []].append(node)
        }
      }
    }
    for (node, change) in nodes {
      for relationship in change.relationships where relationship.source == nil {
        let destination = relationship.destination
        let key = "\(destination.owner?.name ?? "").\(destination.name)"
        try set(destination, of: node, to: added[key]?[ObjectIdentifier(node)] ?? [], change)
      }
    }
  }

  private func failure(
    _ kind: MigrationObstacle.Kind, _ entity: String, _ property: String?, _ reason: String
  ) -> NSError { MigrationObstacle(kind: kind, entity: entity, property: property, reason: reason).error }
}
