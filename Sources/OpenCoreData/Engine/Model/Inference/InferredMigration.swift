import Foundation

/// How the entities of one version of a model become those of another, as far as that follows from the two versions: the work
/// of a lightweight migration, and the obstacles to it.
///
/// The mapping model of `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)` and the migrations of stores
/// in place are made from it.
@_spi(Store) public struct InferredMigration {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  /// Every entity of the destination, in the order of stores (superentities first), and then the entities that it does not
  /// have any more.
  package let entities: [EntityMigration]
  /// The reasons why the migration is not possible; empty if it is possible.
  package let obstacles: [MigrationObstacle]
  /// The conditions that the source's rows must fulfil for the migration to succeed.
  package let conditions: [MigrationObstacle]
  let pairing: VersionPairing<NSEntityDescription>
  /// The version hashes of either side, by the entities' names.
  let hashes: (source: [String: Data], destination: [String: Data])

  /// Compares two versions. Obstacles are no error here.
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

  /// The destination's entities that come from the given entity of the source, or from one of its subentities.
  func entities(from entity: NSEntityDescription) -> [EntityMigration] {
    entities.filter { $0.destination != nil && $0.source?.isKindOf(entity: entity) == true }
  }
}
