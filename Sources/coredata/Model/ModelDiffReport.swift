@_spi(Store) import OpenCoreData

/// What differs between two models, in the shape of the JSON of `coredata model diff`.
struct ModelDiffReport: Encodable {
  struct Aspect: Encodable {
    var name: String
    var source: String?
    var destination: String?
  }

  struct Property: Encodable {
    var name: String
    /// The name in the source, where it is another.
    var sourceName: String?
    var kind: String
    /// added, removed, renamed or changed.
    var change: String
    var aspects: [Aspect]
    var changesHash: Bool
    /// The type or destination of what was added or removed.
    var summary: String?
  }

  struct Entity: Encodable {
    var name: String
    var sourceName: String?
    var change: String
    var aspects: [Aspect]
    var properties: [Property]
    var changesHash: Bool
  }

  struct Obstacle: Encodable {
    /// Of NSCocoaErrorDomain.
    var code: Int
    var entity: String
    var property: String?
    var reason: String
  }

  struct Migration: Encodable {
    /// Whether a store of the source has to be migrated.
    var isNeeded: Bool
    /// Whether it can be without a mapping model.
    var isLightweight: Bool
    var obstacles: [Obstacle]
    /// What the rows of a store must meet for the migration to succeed.
    var conditions: [Obstacle]
  }

  var source: String
  var destination: String
  var entities: [Entity]
  var aspects: [Aspect]
  var migration: Migration

  init(_ difference: ModelDifference, source: String, destination: String) {
    self.source = source
    self.destination = destination
    // An entity with a new hash and no change inherits one, or leads to an entity that was renamed.
    entities = difference.entities.filter { $0.change != .same || $0.hashes.source != $0.hashes.destination }
      .map(Entity.init)
    aspects = difference.aspects.map(Aspect.init)
    let obstacles = difference.needsMigration ? difference.obstacles : []
    let conditions = difference.needsMigration ? difference.conditions : []
    migration = Migration(
      isNeeded: difference.needsMigration, isLightweight: obstacles.isEmpty, obstacles: obstacles.map(Obstacle.init),
      conditions: conditions.map(Obstacle.init))
  }
}

extension ModelDiffReport.Aspect {
  init(_ aspect: ChangedAspect) {
    self.init(name: aspect.name, source: aspect.source, destination: aspect.destination)
  }
}

extension ModelDiffReport.Obstacle {
  init(_ obstacle: MigrationObstacle) {
    self.init(
      code: obstacle.kind.code, entity: obstacle.entity, property: obstacle.property, reason: obstacle.reason)
  }
}

extension ModelDiffReport.Entity {
  init(_ entity: EntityDifference) {
    name = entity.name
    sourceName = entity.source?.name.flatMap { $0 == entity.name ? nil : $0 }
    change = entity.change.rawValue
    aspects = entity.aspects.map(ModelDiffReport.Aspect.init)
    properties = entity.changedProperties.map(ModelDiffReport.Property.init)
    changesHash = entity.hashes.source != entity.hashes.destination
  }
}

extension ModelDiffReport.Property {
  init(_ property: PropertyDifference) {
    let described = property.destination ?? property.source
    name = described?.name ?? ""
    sourceName = property.source?.name
    if sourceName == name { sourceName = nil }
    kind = described?.kindText ?? ""
    change = property.change.rawValue
    aspects = property.aspects.map(ModelDiffReport.Aspect.init)
    changesHash = property.changesHash
    guard property.source == nil || property.destination == nil else { return }
    let optional = described?.isOptional == true ? ", optional" : ""
    switch described {
    case let attribute as NSAttributeDescription:
      summary = attribute.attributeType.name + optional + (attribute.defaultValueText.map { ", default \($0)" } ?? "")
    case let relationship as NSRelationshipDescription:
      summary =
        (relationship.isToMany ? "to many " : "to one ") + (relationship.destinationEntity?.name ?? "") + optional
    default: summary = kind
    }
  }
}
