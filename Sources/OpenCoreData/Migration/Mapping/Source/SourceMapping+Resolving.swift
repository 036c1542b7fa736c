import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension SourceMapping {
  /// The entity mappings from one model to another, as a compiled mapping model has them.
  /// - Throws: `ModelProblem.inconsistent` if the models lack an entity or a property that the mapping names.
  func entityMappings(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> [NSEntityMapping] {
    let resolver = SourceMappingResolver(
      mapping: self, source: source, destination: destination,
      hashes: (source.entityVersionHashesByName, destination.entityVersionHashesByName))
    return try entities.map(resolver.entityMapping)
  }
}

/// Completes the mappings of Xcode's mapping model with what follows from the two models.
private struct SourceMappingResolver {
  let mapping: SourceMapping
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel
  let hashes: (source: [String: Data], destination: [String: Data])

  func entityMapping(_ entity: SourceMapping.Entity) throws -> NSEntityMapping {
    let from = try self.entity(entity.sourceName, in: source, "source", entity)
    let to = try self.entity(entity.destinationName, in: destination, "destination", entity)
    let result = NSEntityMapping()
    result.name = entity.name
    result.sourceEntityName = from?.name
    result.sourceEntityVersionHash = from?.name.flatMap { hashes.source[$0] }
    result.destinationEntityName = to?.name
    result.destinationEntityVersionHash = to?.name.flatMap { hashes.destination[$0] }
    result.entityMigrationPolicyClassName = entity.policyClassName
    if let name = from?.name {
      result.sourceExpression = MappingFunction.objects(of: name, where: entity.filter ?? MappingFunction.everything)
    }
    var isPlain = true
    result.attributeMappings = try entity.attributes.map { attribute in
      guard let to, let property = to.attributesByName[attribute.name] else {
        throw missing(attribute.name, "attribute", entity)
      }
      let before = from?.attributesByName[attribute.name]
      if attribute.expression != nil || before?.attributeType != property.attributeType { isPlain = false }
      return NSPropertyMapping(
        attribute.name, attribute.expression ?? before.map { MappingFunction.source($0.name) })
    }
    result.relationshipMappings = try entity.relationships.map { relationship in
      guard let to, let property = to.relationshipsByName[relationship.name] else {
        throw missing(relationship.name, "relationship", entity)
      }
      return NSPropertyMapping(relationship.name, try expression(relationship, of: entity, from, property))
    }
    result.mappingType = type(entity, result, isPlain: isPlain)
    return result
  }

  /// Returns the custom type for a mapping with a policy; otherwise the type follows from the entities. As in Xcode, an
  /// entity whose attributes are copied unchanged has the copy type.
  private func type(
    _ entity: SourceMapping.Entity, _ mapping: NSEntityMapping, isPlain: Bool
  ) -> NSEntityMappingType {
    if entity.policyClassName != nil { return .customEntityMappingType }
    if entity.sourceName == nil { return .addEntityMappingType }
    if entity.destinationName == nil { return .removeEntityMappingType }
    if mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash { return .copyEntityMappingType }
    return isPlain && entity.sourceName == entity.destinationName ? .copyEntityMappingType : .transformEntityMappingType
  }

  private func expression(
    _ relationship: SourceMapping.Relationship, of entity: SourceMapping.Entity, _ from: NSEntityDescription?,
    _ destination: NSRelationshipDescription
  ) throws -> NSExpression? {
    if let expression = relationship.expression { return expression }
    let before = from?.relationshipsByName[relationship.name]
    let instances: NSExpression
    if let keyPath = relationship.keyPath {
      instances = try Self.source(keyPath, entity.name, relationship.name)
    } else if let before {
      instances = MappingFunction.source(before.name)
    } else {
      return nil
    }
    if let name = relationship.mappingName {
      guard mapping.entities.contains(where: { $0.name == name }) else {
        throw ModelProblem.inconsistent(
          "There is no entity mapping “\(name)”.", entity: entity.name, property: relationship.name)
      }
      return MappingFunction.destinationInstances(name, of: instances)
    }
    guard let before else { return nil }
    return MappingFunction.members(ofSource: before.name, madeBy: makers(before, destination))
  }

  /// `$source`, `$source.owner` or `owner`.
  private static func source(_ keyPath: String, _ entity: String, _ property: String) throws -> NSExpression {
    let variable = "$" + NSMigrationSourceObjectKey
    if keyPath == variable { return MappingFunction.source }
    let path = keyPath.hasPrefix(variable + ".") ? String(keyPath.dropFirst(variable.count + 1)) : keyPath
    guard !path.isEmpty, !path.contains("$") else {
      throw ModelProblem.inconsistent("“\(keyPath)” is no key path.", entity: entity, property: property)
    }
    return MappingFunction.source(path)
  }

  /// Returns the mappings that make possible members of a relationship from its former members.
  private func makers(_ before: NSRelationshipDescription, _ after: NSRelationshipDescription) -> [String] {
    guard let old = before.destinationEntity, let new = after.destinationEntity else { return [] }
    return mapping.entities.filter { entity in
      guard let from = entity.sourceName.flatMap({ source.entitiesByName[$0] }),
        let to = entity.destinationName.flatMap({ destination.entitiesByName[$0] })
      else { return false }
      return from.isKindOf(entity: old) && to.isKindOf(entity: new)
    }.map(\.name)
  }

  private func entity(
    _ name: String?, in model: NSManagedObjectModel, _ side: String, _ mapping: SourceMapping.Entity
  ) throws -> NSEntityDescription? {
    guard let name else { return nil }
    if let entity = model.entitiesByName[name] { return entity }
    throw ModelProblem.inconsistent("The \(side) model has no entity “\(name)”.", entity: mapping.name)
  }

  private func missing(_ name: String, _ kind: String, _ entity: SourceMapping.Entity) -> ModelProblem {
    .inconsistent(
      "The destination entity “\(entity.destinationName ?? "")” has no such \(kind).", entity: entity.name,
      property: name)
  }
}
