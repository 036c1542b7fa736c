import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// Makes a model of copies of the entities of several models. The given models stay as they are.
  ///
  /// For a program whose modules have models of their own, and which has one store for all. Relationships and
  /// inheritance between the models are linked by name.
  ///
  /// ```swift
  /// let note = NSEntityDescription()
  /// note.name = "Note"
  /// let notes = NSManagedObjectModel()
  /// notes.entities = [note]
  /// let model = NSManagedObjectModel(byMerging: [container.managedObjectModel, notes])
  /// print(model?.entities.count ?? 0)  // 4
  /// ```
  ///
  /// Entities of one name must be equal, and so must fetch request templates of one name; two different ones stop the
  /// program. Returns nil if there are no models.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models, !models.isEmpty else { return nil }
    self.init()
    merge(models)
  }

  /// Makes a model of the entities of several models that the metadata of a store list, in the same versions.
  ///
  /// If several entities have the same name and version, the first is taken. Returns nil if the models lack one of the
  /// entities.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
    self.init()
    merge(models, matching: stored)
    guard Set(entitiesByName.keys) == Set(stored.keys) else { return nil }
  }

  /// Copies the models, and adds the copied entities, templates and configurations that belong in the result.
  private final func merge(_ models: [NSManagedObjectModel], matching stored: [String: Data]? = nil) {
    var taken: [String: NSEntityDescription] = [:]
    var order: [NSEntityDescription] = []
    var configurations: [String: [String]] = [:]
    // The copies must live until all links are made: entities do not retain what they refer to.
    let copies = models.compactMap { $0.copy() as? NSManagedObjectModel }
    for (original, copy) in zip(models, copies) {
      let hashes = stored == nil ? [:] : original.entityVersionHashesByName
      let included = Set(original.entities.compactMap(\.name).filter { stored == nil || stored?[$0] == hashes[$0] })
      for (name, template) in copy.templates where template.entityName.map(included.contains) ?? true {
        guard stored != nil || templates[name] == nil || templates[name] == template else {
          raise(.invalidArgument, "Can't merge models with two different fetch request templates named '\(name)'")
        }
        if templates[name] == nil { templates[name] = template }
      }
      for entity in copy.entities {
        guard let name = entity.name, included.contains(name) else { continue }
        if let other = taken[name] {
          guard stored != nil || other == entity else {
            raise(.invalidArgument, "Can't merge models with two different entities named '\(name)'")
          }
        } else {
          taken[name] = entity
          order.append(entity)
        }
      }
      versionIdentifiers.formUnion(copy.versionIdentifiers)
      for configuration in copy.configurations {
        let names = copy.entitiesByConfiguration[configuration]?.compactMap(\.name) ?? []
        configurations[configuration, default: []] += names.filter { included.contains($0) }
      }
    }
    for entity in order { link(entity, taken) }
    entities = order
    for (configuration, names) in configurations {
      var seen: Set<String> = []
      setEntities(
        names.filter { seen.insert($0).inserted }.compactMap { taken[$0] }, forConfigurationName: configuration)
    }
    withExtendedLifetime(copies) {}
  }

  /// Makes an entity refer to the entities of the result, and no longer to other copies of them.
  private final func link(_ entity: NSEntityDescription, _ taken: [String: NSEntityDescription]) {
    entity.subentities = entity.subentities.compactMap { $0.name.flatMap { taken[$0] } }
    for case let relationship as NSRelationshipDescription in entity.declaredProperties {
      guard let destination = relationship.destinationEntity?.name else { continue }
      let inverse = relationship.inverseRelationship?.name
      let target = taken[destination]
      relationship.destinationEntity = target
      relationship.inverseRelationship = inverse.flatMap { target?.findProperty($0) as? NSRelationshipDescription }
    }
  }
}
