/// The contents of an archive of descriptions.
struct ModelContents {
  /// Entities, each name once.
  let entities: [NSEntityDescription]
  var templates: [String: FetchRequestTemplate] = [:]
  var versionIdentifiers: Set<AnyHashable> = []
  var configurations: [(name: String, members: [NSEntityDescription])] = []
  var localizationDictionary: [String: String]?

  /// The contents of a whole model.
  init(_ model: NSManagedObjectModel) {
    entities = model.entities
    templates = model.templates
    versionIdentifiers = model.versionIdentifiers
    configurations = model.configurations.map { ($0, model.entitiesByConfiguration[$0] ?? []) }
    localizationDictionary = model.localizationDictionary
  }

  /// An entity and all entities that it refers to, directly or indirectly. If several entities have the same name, only
  /// the first that is found is included.
  init(reachableFrom entity: NSEntityDescription) {
    var names: Set<String?> = []
    var found: [NSEntityDescription] = []
    func take(_ entity: NSEntityDescription?) {
      if let entity, names.insert(entity.name).inserted { found.append(entity) }
    }
    take(entity)
    var next = 0
    while next < found.count {
      let current = found[next]
      take(current.parent)
      for subentity in current.subentities { take(subentity) }
      for case let relationship as NSRelationshipDescription in current.declaredProperties {
        take(relationship.destinationEntity)
      }
      next += 1
    }
    entities = found
  }
}
