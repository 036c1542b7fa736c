import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Checks a mapping model before a migration begins: an expression with a name that does not exist would stop the
/// program.
struct MappingCheck {
  private let manager: NSMigrationManager
  private let mappings: [NSEntityMapping]

  init(_ manager: NSMigrationManager, _ model: NSMappingModel) {
    self.manager = manager
    mappings = model.entityMappings ?? []
  }

  /// Checks the mappings and returns their migration policies.
  /// - Throws: 134170 for a policy that does not exist, or that does not list a method; 134110 for entities and
  ///   properties that the models do not have, and for mappings that do not exist.
  func policies() throws -> [NSEntityMigrationPolicy] {
    try mappings.map { mapping in
      let policy = try policy(mapping)
      let source = try entity(mapping.sourceEntityName, manager.sourceModel, "source", mapping)
      let destination = try entity(mapping.destinationEntityName, manager.destinationModel, "destination", mapping)
      if let expression = mapping.sourceExpression { try check(expression, mapping, nil, source, policy) }
      for (properties, isAttribute) in [(mapping.attributeMappings, true), (mapping.relationshipMappings, false)] {
        for property in properties ?? [] {
          try check(property, mapping, source, destination, policy, isAttribute: isAttribute)
        }
      }
      return policy
    }
  }

  private func policy(_ mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
    if let type = MigrationPolicyClasses.find(name) { return type.init() }
    throw MigrationFailure.error(
      "there is no migration policy class \(name); NSEntityMigrationPolicy.register(_:forName:) makes one known",
      code: NSEntityMigrationPolicyError, entity: mapping.destinationEntityName ?? mapping.sourceEntityName,
      mapping: mapping)
  }

  private func entity(
    _ name: String?, _ model: NSManagedObjectModel, _ side: String, _ mapping: NSEntityMapping
  ) throws -> NSEntityDescription? {
    guard let name else { return nil }
    if let entity = model.entitiesByName[name] { return entity }
    throw MigrationFailure.error("the \(side) model has no such entity", entity: name, mapping: mapping)
  }

  private func check(
    _ property: NSPropertyMapping, _ mapping: NSEntityMapping, _ source: NSEntityDescription?,
    _ destination: NSEntityDescription?, _ policy: NSEntityMigrationPolicy, isAttribute: Bool
  ) throws {
    let description = destination?.propertiesByName[property.name ?? ""]
    let fits = isAttribute ? description is NSAttributeDescription : description is NSRelationshipDescription
    guard destination == nil || fits else {
      throw MigrationFailure.error(
        "the destination entity has no such \(isAttribute ? "attribute" : "relationship")", entity: destination?.name,
        property: property.name ?? "", mapping: mapping)
    }
    guard let expression = property.valueExpression else { return }
    try check(expression, mapping, property.name, source, policy)
  }

  private func check(
    _ expression: NSExpression, _ mapping: NSEntityMapping, _ property: String?, _ source: NSEntityDescription?,
    _ policy: NSEntityMigrationPolicy
  ) throws {
    var problem: NSError?
    let entity = mapping.destinationEntityName ?? mapping.sourceEntityName
    func fail(_ code: Int, _ reason: String) {
      problem =
        problem
        ?? MigrationFailure.error(reason, code: code, entity: entity, property: property, mapping: mapping)
    }
    // The keys that every object has.
    let intrinsic = ["objectID", "entity", "self", "isFault", "hasChanges", "isInserted", "isUpdated", "isDeleted"]
    for key in expression.sourceKeys where !key.hasPrefix("@") && !intrinsic.contains(key) {
      guard let source, source.propertiesByName[key] == nil else { continue }
      fail(
        NSMigrationError, "the source entity \(source.name ?? "") has no property “\(key)”, which \(expression) takes")
    }
    expression.visit { part in
      guard case .function(let selector, let target?, let arguments) = part.node, selector.contains(":"),
        case .variable(let variable) = target.node
      else { return }
      if variable == NSMigrationEntityPolicyKey, !Self.lists(type(of: policy), selector) {
        fail(
          NSEntityMigrationPolicyError,
          "the migration policy \(type(of: policy)) does not list the method \(selector) in callableMethods")
      } else if variable == NSMigrationManagerKey {
        if !Self.lists(type(of: manager), selector) {
          fail(NSMigrationError, "a migration manager has no method \(selector)")
        }
        if let reason = argumentProblem(selector, arguments) { fail(NSMigrationError, reason) }
      }
    }
    if let problem { throw problem }
  }

  private static func lists(_ type: any OCDCallableByName.Type, _ selector: String) -> Bool {
    // Methods of key-value coding can be called without being listed.
    ["valueForKey:", "valueForKeyPath:", "objectForKey:"].contains(selector)
      || type.callableMethods.contains { $0.selector == selector } || ClassMembers.hasMethod(selector, of: type)
  }

  private func argumentProblem(_ selector: String, _ arguments: [NSExpression]) -> String? {
    let constants = arguments.map { argument -> String? in
      if case .constant(let value) = argument.node { return value as? String }
      return nil
    }
    switch (MappingFunction(rawValue: selector), constants.first ?? nil) {
    case (.destinationInstances, let name?)
    where !mappings.contains { $0.name == name } && !manager.associations.names.contains(name):
      return "there is no entity mapping “\(name)”"
    case (.fetchRequest, let name?):
      guard let entity = manager.sourceModel.entitiesByName[name] else {
        return "the source model has no entity “\(name)” to fetch"
      }
      guard constants.count > 1, let format = constants[1] else { return nil }
      do {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = try NSPredicate(parsing: format)
        return nil
      } catch {
        return "the filter “\(format)” of \(entity.name ?? "") is no predicate: \(error.localizedDescription)"
      }
    default: return nil
    }
  }
}
