import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The work of a migration for one entity mapping.
final class MigrationTask {
  let mapping: NSEntityMapping
  let policy: NSEntityMigrationPolicy
  let source: NSEntityDescription?
  let destination: NSEntityDescription?
  let attributes: [NSPropertyMapping]
  let relationships: [NSPropertyMapping]
  /// The relationships of `$source` in the expressions of relationships, which are read ahead.
  let sourceRelationships: [String]
  /// The number of source objects for the task, as far as it is known.
  var count = 0
  /// The attributes whose values are copied unchanged.
  private var direct: [String: (from: PropertySlot, to: PropertySlot)] = [:]

  init(_ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager) {
    self.mapping = mapping
    self.policy = policy
    source = manager.sourceEntity(for: mapping)
    destination = manager.destinationEntity(for: mapping)
    let isCopy = mapping.mappingType == .copyEntityMappingType
    attributes = mapping.attributeMappings ?? (isCopy ? Self.copies(of: source, destination).attributes : [])
    relationships = mapping.relationshipMappings ?? (isCopy ? Self.copies(of: source, destination).relationships : [])
    var names: [String] = []
    for key in relationships.compactMap(\.valueExpression).flatMap(\.sourceKeys) where !names.contains(key) {
      if let slot = source?.layout.slot(named: key), slot.kind.isRelationship, !slot.isTransient { names.append(key) }
    }
    sourceRelationships = names
    for attribute in attributes {
      guard let name = attribute.name, let slots = directSlots(name, attribute.valueExpression) else { continue }
      direct[name] = slots
    }
  }

  /// Whether the task takes source objects. The objects of a removed entity are of use only to a policy of the
  /// application.
  var takesInstances: Bool {
    let isRemoved = mapping.mappingType == .removeEntityMappingType || destination == nil
    return !(isRemoved && type(of: policy) == NSEntityMigrationPolicy.self)
  }

  /// The expression that fetches the source objects. A mapping with a source entity and without an expression takes all
  /// objects of that entity, because they would be lost otherwise.
  var sourceExpression: NSExpression? {
    if let expression = mapping.sourceExpression { return expression }
    guard mapping.mappingType != .addEntityMappingType, let name = source?.name, source?.isAbstract == false else {
      return nil
    }
    return MappingFunction.objects(of: name)
  }

  /// Returns the two slots of an attribute whose value is copied unchanged; nil for any other attribute.
  func directSlots(_ name: String, for object: NSManagedObject) -> (from: PropertySlot, to: PropertySlot)? {
    guard let slots = direct[name], object.layout === source?.layout else { return nil }
    if slots.from.kind == .transformable, isTransformed(slots.from, slots.to), !object.isUndecodable(slots.from) {
      return nil
    }
    return slots
  }

  /// Whether the values of a transformable attribute are decoded by one transformer and encoded by another. If the new
  /// transformer does not exist, or a value cannot be decoded, the bytes are copied, because they would be lost
  /// otherwise.
  private func isTransformed(_ from: PropertySlot, _ to: PropertySlot) -> Bool {
    let name = to.attribute.valueTransformerName ?? ""
    if from.attribute.valueTransformerName ?? "" == name { return false }
    return name.isEmpty || ValueTransformer(forName: NSValueTransformerName(name)) != nil
  }

  private func directSlots(_ name: String, _ expression: NSExpression?) -> (from: PropertySlot, to: PropertySlot)? {
    guard let key = expression?.sourceKey, let from = source?.layout.slot(named: key),
      let to = destination?.layout.slot(named: name), from.kind == to.kind, !from.kind.isRelationship,
      from.kind != .composite, from.kind != .anything, !from.isTransient, !to.isTransient,
      !(to.property is NSDerivedAttributeDescription)
    else { return nil }
    return (from, to)
  }

  /// The implied property mappings of a copying entity mapping: properties of the same name are copied.
  private static func copies(
    of source: NSEntityDescription?, _ destination: NSEntityDescription?
  ) -> (attributes: [NSPropertyMapping], relationships: [NSPropertyMapping]) {
    guard let source, let destination else { return ([], []) }
    let attributes = destination.attributesByName.keys.filter { source.attributesByName[$0] != nil }
    let relationships = destination.relationshipsByName.keys.filter { source.relationshipsByName[$0] != nil }
    return (
      attributes.sorted().map { NSPropertyMapping($0, MappingFunction.source($0)) },
      relationships.sorted().map { NSPropertyMapping($0, MappingFunction.members(ofSource: $0, madeBy: ["", ""])) }
    )
  }
}

extension NSExpression {
  /// The key, if the expression is `$source.key` and nothing more.
  var sourceKey: String? {
    guard type(of: self) == NSExpression.self, case .keyPath(let path, let operand?) = node, !path.contains("."),
      !path.hasPrefix("@"), case .variable(NSMigrationSourceObjectKey) = operand.node
    else { return nil }
    return path
  }

  /// The first keys of all `$source.key…` within the expression.
  var sourceKeys: [String] {
    var keys: [String] = []
    visit { expression in
      guard case .keyPath(let path, let operand?) = expression.node,
        case .variable(NSMigrationSourceObjectKey) = operand.node
      else { return }
      keys.append(path.split(separator: ".").first.map(String.init) ?? path)
    }
    return keys
  }

  /// Calls `body` with the expression and all expressions within it, except those in predicates.
  func visit(_ body: (NSExpression) -> Void) {
    body(self)
    switch node {
    case .keyPath(_, let operand): operand?.visit(body)
    case .function(_, let target, let arguments):
      target?.visit(body)
      for argument in arguments { argument.visit(body) }
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      left.visit(body)
      right.visit(body)
    case .subquery(let collection, _, _): collection.visit(body)
    case .aggregate(let expressions): for expression in expressions { expression.visit(body) }
    case .block(_, let arguments): for argument in arguments ?? [] { argument.visit(body) }
    case .fetch(let request, let context, _):
      request.visit(body)
      context.visit(body)
    case .conditional(_, let first, let second):
      first.visit(body)
      second.visit(body)
    case .constant, .evaluatedObject, .variable, .anyKey: break
    }
  }
}
