@_spi(Store) import OpenCoreData

/// The differences between two models, with the keys of the JSON of `coredata model diff`.
public struct ModelDiffReport: Encodable, Sendable {
  /// An aspect that differs.
  public struct Aspect: Encodable, Sendable {
    /// The name of the aspect.
    public var name: String
    /// The old value; nil if it was not set.
    public var source: String?
    /// The new value; nil if it is not set.
    public var destination: String?
  }

  /// A property that differs.
  public struct Property: Encodable, Sendable {
    /// The property's name.
    public var name: String
    /// The name in the source, if it differs.
    public var sourceName: String?
    /// The kind of property: `attribute`, `relationship` or another kind.
    public var kind: String
    /// added, removed, renamed or changed.
    public var change: String
    /// The aspects that differ.
    public var aspects: [Aspect]
    /// Whether the property's part of the version hash differs.
    public var changesHash: Bool
    /// The type or destination of a property that was added or removed.
    public var summary: String?
  }

  /// An entity that differs.
  public struct Entity: Encodable, Sendable {
    /// The entity's name.
    public var name: String
    /// The name in the source, if it differs.
    public var sourceName: String?
    /// same, added, removed, renamed or changed.
    public var change: String
    /// The aspects of the entity itself that differ.
    public var aspects: [Aspect]
    /// The properties that differ.
    public var properties: [Property]
    /// Whether the entity's version hash differs.
    public var changesHash: Bool
  }

  /// An obstacle to a lightweight migration, or a condition that the data must meet.
  public struct Obstacle: Encodable, Sendable {
    /// A code of NSCocoaErrorDomain.
    public var code: Int
    /// The entity.
    public var entity: String
    /// The property; nil if the obstacle concerns the entity itself.
    public var property: String?
    /// The obstacle in words.
    public var reason: String
  }

  /// The effect of the differences on stores.
  public struct Migration: Encodable, Sendable {
    /// Whether a store of the source has to be migrated.
    public var isNeeded: Bool
    /// Whether the migration is possible without a mapping model.
    public var isLightweight: Bool
    /// The obstacles to the migration.
    public var obstacles: [Obstacle]
    /// The conditions that the rows of a store must meet for the migration to succeed.
    public var conditions: [Obstacle]
  }

  /// The name of the older version.
  public var source: String
  /// The name of the newer version.
  public var destination: String
  /// The entities that differ.
  public var entities: [Entity]
  /// The aspects of the model itself that differ.
  public var aspects: [Aspect]
  /// The effect of the differences on stores.
  public var migration: Migration

  /// Compares two versions of a model.
  /// - Parameters:
  ///   - old: The older version.
  ///   - new: The newer version.
  ///   - source: The name of the older version.
  ///   - destination: The name of the newer version.
  public init(
    from old: NSManagedObjectModel, to new: NSManagedObjectModel, source: String, destination: String
  ) {
    self.init(ModelDifference(from: old, to: new), source: source, destination: destination)
  }

  package init(_ difference: ModelDifference, source: String, destination: String) {
    self.source = source
    self.destination = destination
    // An entity with a new hash and without changes inherits a change, or has a relationship to a renamed entity.
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
  package init(_ aspect: ChangedAspect) {
    self.init(name: aspect.name, source: aspect.source, destination: aspect.destination)
  }
}

extension ModelDiffReport.Obstacle {
  package init(_ obstacle: MigrationObstacle) {
    self.init(
      code: obstacle.kind.code, entity: obstacle.entity, property: obstacle.property, reason: obstacle.reason)
  }
}

extension ModelDiffReport.Entity {
  package init(_ entity: EntityDifference) {
    name = entity.name
    sourceName = entity.source?.name.flatMap { $0 == entity.name ? nil : $0 }
    change = entity.change.rawValue
    aspects = entity.aspects.map(ModelDiffReport.Aspect.init)
    properties = entity.changedProperties.map(ModelDiffReport.Property.init)
    changesHash = entity.hashes.source != entity.hashes.destination
  }
}

extension ModelDiffReport.Property {
  package init(_ property: PropertyDifference) {
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
