import Foundation

/// Checks whether a mapping model leads from one model to another.
enum MappingFit {
  /// The reason why the mapping model does not fit the two models; nil if it fits.
  ///
  /// Each mapping must have the version hashes that its entities have in the models. Every entity with objects that the
  /// destination still has must be the source of a mapping, because its objects would be lost otherwise.
  static func problem(
    _ mappings: [NSEntityMapping], _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> String? {
    let (before, after) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    for mapping in mappings {
      let sides = [
        ("source", mapping.sourceEntityName, mapping.sourceEntityVersionHash, before),
        ("destination", mapping.destinationEntityName, mapping.destinationEntityVersionHash, after),
      ]
      for case (let side, let name?, let hash, let hashes) in sides where hash == nil || hashes[name] != hash {
        return hashes[name] == nil
          ? "The entity mapping “\(mapping.name ?? "")”: the \(side) model has no entity “\(name)”."
          : "The entity mapping “\(mapping.name ?? "")”: its \(side) entity “\(name)” has another version hash."
      }
    }
    let covered = Set(mappings.compactMap(\.sourceEntityName))
    for pair in VersionPairing(source.entities, destination.entities).pairs {
      guard let entity = pair.source, !entity.isAbstract, pair.destination != nil, let name = entity.name,
        !covered.contains(name)
      else { continue }
      return "No entity mapping takes the objects of the entity “\(name)”."
    }
    return nil
  }

  /// Returns the entity mappings of Xcode's mapping model if it fits the two models. Such a mapping model has no
  /// hashes. If the models that it names are found, they decide; otherwise it must map every attribute of the
  /// destination.
  static func mappings(
    _ mapping: SourceMapping, at url: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> [NSEntityMapping]? {
    let named = [(mapping.sourceModelPath, source), (mapping.destinationModelPath, destination)]
    let found = named.map { path, _ in SourceMapping.model(at: path, near: url) }
    for (model, wanted) in zip(found, named.map(\.1)) {
      if let model, model.entityVersionHashesByName != wanted.entityVersionHashesByName { return nil }
    }
    guard let mappings = try? mapping.entityMappings(from: source, to: destination),
      problem(mappings, source, destination) == nil,
      !found.contains(where: { $0 == nil }) || mapsEveryAttribute(mappings, destination)
    else { return nil }
    return mappings
  }

  private static func mapsEveryAttribute(_ mappings: [NSEntityMapping], _ model: NSManagedObjectModel) -> Bool {
    mappings.allSatisfy { mapping in
      let mapped = Set((mapping.attributeMappings ?? []).compactMap(\.name))
      let entity = mapping.destinationEntityName.flatMap { model.entitiesByName[$0] }
      return (entity?.attributesByName.values).map { attributes in
        attributes.allSatisfy { $0.isTransient || $0 is NSDerivedAttributeDescription || mapped.contains($0.name) }
      } ?? true
    }
  }
}
