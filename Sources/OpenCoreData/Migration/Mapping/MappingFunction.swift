import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The methods of a migration manager that the expressions of mapping models call, and the expressions that call them.
///
/// A manager makes these methods callable as an `OCDCallableByName`.
enum MappingFunction: String, CaseIterable {
  /// A fetch request for an entity of the source model and the text of a predicate.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  /// The destination objects that a mapping, given by its name, has made from source objects.
  case destinationInstances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The destination objects that any mapping has made of the members of a relationship of `$source`, by the
  /// relationship's name.
  case relatedInstances = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  /// The predicate of a mapping that takes all objects.
  static let everything = "TRUEPREDICATE"

  private func call(_ arguments: [NSExpression]) -> NSExpression {
    NSExpression(
      forFunction: NSExpression(forVariable: NSMigrationManagerKey), selectorName: rawValue, arguments: arguments)
  }

  /// `$source`
  static var source: NSExpression { NSExpression(forVariable: NSMigrationSourceObjectKey) }

  /// `$source.keyPath`
  static func source(_ keyPath: String) -> NSExpression { NSExpression(node: .keyPath(keyPath, operand: source)) }

  /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", entity, predicate),
  /// $manager.sourceContext, NO)`
  static func objects(of entity: String, where predicate: String = everything) -> NSExpression {
    let manager = NSExpression(forVariable: NSMigrationManagerKey)
    return NSFetchRequestExpression.expression(
      forFetch: fetchRequest.call([
        NSExpression(forConstantValue: entity), NSExpression(forConstantValue: predicate),
      ]),
      context: NSExpression(node: .keyPath("sourceContext", operand: manager)), countOnly: false)
  }

  /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, instances)`
  static func destinationInstances(_ mapping: String, of instances: NSExpression) -> NSExpression {
    destinationInstances.call([NSExpression(forConstantValue: mapping), instances])
  }

  /// Returns an expression for the members of a relationship after the migration. `mappings` are the mappings that make
  /// possible members; if there is only one, the expression names it. Nil if there are none.
  static func members(ofSource relationship: String, madeBy mappings: [String]) -> NSExpression? {
    switch mappings.count {
    case 0: nil
    case 1: destinationInstances(mappings[0], of: source(relationship))
    default: relatedInstances.call([NSExpression(forConstantValue: relationship), source(relationship)])
    }
  }
}
