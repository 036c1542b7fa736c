import Foundation

/// The objects of a store that is one file, such as an XML store, for verification. Such a store is in memory as a
/// whole anyway.
struct AtomicStoreImage: VerifiedStore {
  private let objects: [String: [VerifiedObject]]

  /// Reads a store.
  /// - Throws: the errors of opening the store.
  init(_ place: MigrationPlace, _ configuration: String?, _ model: NSManagedObjectModel) throws {
    var options = place.options ?? [:]
    for key in MigrationPlace.automaticOptions { options[key] = nil }
    options[NSReadOnlyPersistentStoreOption] = true
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    guard let store = try coordinator.open(place.type, configuration, place.url, options) as? NSAtomicStore else {
      throw StoreMigrationError.incomplete(place.url.path, "a store of type \(place.type) is no file")
    }
    defer { store.close() }
    var found: [String: [VerifiedObject]] = [:]
    func key(_ node: NSAtomicStoreCacheNode) -> Int64 {
      let reference = store.referenceObject(for: node.objectID)
      return reference as? Int64 ?? (reference as? NSNumber)?.int64Value ?? node.objectID.key
    }
    for node in store.cacheNodes() {
      let entity = node.objectID.entity
      var attributes: [String: Any] = [:]
      for (name, attribute) in entity.attributesByName where !attribute.isTransient {
        attributes[name] = node.value(forKey: name)
      }
      var members: [String: [InspectedReference]] = [:]
      for (name, relationship) in entity.relationshipsByName where !relationship.isTransient {
        members[name] = node.members(name).map {
          InspectedReference(entity: $0.objectID.entity.name ?? "", key: key($0))
        }
      }
      found[entity.name ?? "", default: []].append(
        VerifiedObject(key: key(node), attributes: attributes, members: members))
    }
    objects = found.mapValues { $0.sorted { $0.key < $1.key } }
  }

  func holds(_ entity: NSEntityDescription) -> Bool { !entity.isAbstract }

  func objects(of entity: NSEntityDescription) throws -> any VerifiedObjects {
    ImageObjects(rest: objects[entity.name ?? "", default: []][...])
  }
}

private struct ImageObjects: VerifiedObjects {
  var rest: ArraySlice<VerifiedObject>

  mutating func next() throws -> VerifiedObject? { rest.popFirst() }
}
