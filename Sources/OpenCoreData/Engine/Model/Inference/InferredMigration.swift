import Foundation

/// The migration from one version of a model to another, as far as it can be inferred from the two versions: the steps
/// of a lightweight migration for each entity, and the obstacles that prevent it.
///
/// `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)` makes its mapping model from this migration,
/// and a store that migrates in place carries it out.
@_spi(Store) public struct InferredMigration {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  /// Every entity of the destination, in the order of stores (superentities first), then the entities that only the
  /// source has.
  package let entities: [EntityMigration]
  /// The reasons why the migration is not possible; empty if it is.
  package let obstacles: [MigrationObstacle]
  /// The conditions that the source's rows must fulfil for the migration to succeed.
  package let conditions: [MigrationObstacle]
  let pairing: VersionPairing<NSEntityDescription>
  /// The version hashes of the source and of the destination, by the entities' names.
  let hashes: (source: [String: Data], destination: [String: Data])

  /// Compares two versions. Obstacles are collected, and are no error here.
  package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    let pairing = VersionPairing(source.entities, destination.entities)
    self.pairing = pairing
    let (before, after) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    hashes = (before, after)
    let kept = destination.entitiesInStoreOrder.map { entity in
      let origin = pairing.source(of: entity)
      return EntityMigration(
        origin, entity, hashes: (origin?.name.flatMap { before[$0] }, entity.name.flatMap { after[$0] }), pairing)
    }
    let removed = source.entitiesInStoreOrder.filter { pairing.destination(of: $0) == nil }.map { entity in
      EntityMigration(entity, nil, hashes: (entity.name.flatMap { before[$0] }, nil), pairing)
    }
    entities = kept + removed
    obstacles = Self.obstacles(of: entities, pairing, destination)
    conditions = Self.conditions(of: entities, pairing)
  }

  /// Returns the migrations of the destination's entities whose source is the given entity or inherits from it.
  func entities(from entity: NSEntityDescription) -> [EntityMigration] {
    entities.filter { $0.destination != nil && $0.source?.isKindOf(entity: entity) == true }
  }
}
