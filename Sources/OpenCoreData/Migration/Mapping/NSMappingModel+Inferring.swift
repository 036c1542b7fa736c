import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSExpression

extension NSMappingModel {
  /// Makes the mapping model of a lightweight migration. Use it to check whether a change can be inferred, or to change
  /// parts of the mapping model. Opening a store infers the mapping by itself.
  ///
  /// Entities and properties of the two models correspond if they have the same renaming identifier, which is their
  /// name unless set otherwise. They may be added, removed, renamed and moved up and down their hierarchy. An attribute
  /// may become optional, mandatory with a default value, or a number of another type. A relationship may become
  /// to-many or to-one (see below), be ordered or not, and lead to a superentity of its former destination.
  ///
  /// A to-many relationship becomes to-one if no object has several members; otherwise the migration fails.
  ///
  /// ```swift
  /// let old = container.managedObjectModel
  /// guard let new = old.copy() as? NSManagedObjectModel else { return }
  /// new.entitiesByName["Entry"]?.attributesByName["date"]?.attributeType = .stringAttributeType
  /// do {
  ///   _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
  /// } catch {
  ///   let details = error as NSError
  ///   print(details.code, details.userInfo["entity"] ?? "", details.userInfo["property"] ?? "")  // 134190 Entry date
  /// }
  /// ```
  /// - Parameters:
  ///   - sourceModel: the version of the store.
  ///   - destinationModel: the version to migrate to.
  /// - Returns: one mapping for each entity that is not abstract (D-MIG-07, D-MIG-09).
  /// - Throws: 134190 (NSInferredMappingModelError), whose text and user info ("entity", "property", "reason") say what
  ///   cannot be inferred and why: other types, a mandatory property without values and without a default value,
  ///   another destination, an inverse that led elsewhere, or hierarchies that are put together. If there are several
  ///   reasons, they are under NSDetailedErrorsKey.
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let migration = InferredMigration(from: sourceModel, to: destinationModel)
    if let error = MigrationObstacle.inferenceError(migration.obstacles) { throw error }
    return NSMappingModel(migration)
  }

  /// The mapping model of an inferred migration, whether there are obstacles or not. Abstract entities, which have no
  /// objects, have no mappings.
  convenience init(_ migration: InferredMigration) {
    self.init()
    var names: Set<String> = []
    let concrete = migration.entities.filter { ($0.source ?? $0.destination)?.isAbstract == false }
    let named = concrete.map { entity in (entity: entity, name: Self.name(entity, &names)) }
    entityMappings = named.map { entity, name in
      let mapping = NSEntityMapping()
      mapping.name = name
      mapping.mappingType = entity.kind.mappingType
      mapping.sourceEntityName = entity.source?.name
      mapping.sourceEntityVersionHash = entity.hashes.source
      mapping.destinationEntityName = entity.destination?.name
      mapping.destinationEntityVersionHash = entity.hashes.destination
      if let source = entity.source?.name { mapping.sourceExpression = MappingFunction.objects(of: source) }
      guard entity.destination != nil else { return mapping }
      let mapped =
        entity.attributes.filter { $0.source != nil }.map(\.destination.name)
        + entity.relationships.filter { $0.source != nil }.map(\.destination.name)
      mapping.userInfo = [
        "mappedProperties": Set(mapped), "removedProperties": Set(entity.removedProperties.map(\.name)),
      ]
      mapping.attributeMappings = entity.attributes.filter { !$0.isDerived }.map { attribute in
        NSPropertyMapping(attribute.destination.name, attribute.expression)
      }
      mapping.relationshipMappings = entity.relationships.map { relationship in
        let makers = named.filter { maker in
          guard let target = relationship.source?.destinationEntity else { return false }
          return maker.entity.keepsRows && maker.entity.source?.isKindOf(entity: target) == true
        }
        return NSPropertyMapping(
          relationship.destination.name,
          relationship.source.flatMap { MappingFunction.members(ofSource: $0.name, madeBy: makers.map(\.name)) })
      }
      return mapping
    }
  }

  /// Returns a name as in Apple's framework, such as `IEM_Transform_Car`: the kind of work, and the source entity, or
  /// the destination entity if there is no source. A name that is already in use gets a number.
  private static func name(_ entity: EntityMigration, _ taken: inout Set<String>) -> String {
    let name = "IEM_\(entity.kind.word)_\(entity.source?.name ?? entity.destination?.name ?? "")"
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }
}

extension NSPropertyMapping {
  /// Makes a mapping of a property.
  convenience init(_ name: String, _ expression: NSExpression?) {
    self.init()
    self.name = name
    valueExpression = expression
  }
}

extension EntityMigration.Kind {
  fileprivate var word: String {
    switch self {
    case .added: "Add"
    case .removed: "Remove"
    case .copied: "Copy"
    case .transformed: "Transform"
    }
  }

  fileprivate var mappingType: NSEntityMappingType {
    switch self {
    case .added: .addEntityMappingType
    case .removed: .removeEntityMappingType
    case .copied: .copyEntityMappingType
    case .transformed: .transformEntityMappingType
    }
  }
}

extension AttributeMigration {
  /// The source's value, or the default value if the source's value is nil and must not be. Nil for a new attribute,
  /// which has its default value from the start.
  fileprivate var expression: NSExpression? {
    guard let source else { return nil }
    let value = MappingFunction.source(source.name)
    if changes.contains(.elements) { return elementsExpression(value) }
    guard let fill else { return value }
    let isThere = NSComparisonPredicate(
      leftExpression: value, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
      type: .notEqualTo)
    return NSExpression(
      forConditional: isThere, trueExpression: value, falseExpression: NSExpression(forConstantValue: fill))
  }

  /// The elements of a composite attribute under their new names. This is a block, because no predicate format can
  /// express it.
  private func elementsExpression(_ value: NSExpression) -> NSExpression {
    NSExpression(
      block: { object, arguments, variables in
        let given = arguments.first?.expressionValue(with: object, context: variables)
        do {
          return try self.value(of: given) ?? NSNull()
        } catch {
          // An expression cannot throw an error, so the migration reads the error after the evaluation.
          guard let manager = variables?[NSMigrationManagerKey] as? NSMigrationManager, let run = manager.run else {
            raise(.internalInconsistency, error.localizedDescription)
          }
          run.failure = error as NSError
          return NSNull()
        }
      }, arguments: [value])
  }
}
