import CoreData
import Foundation
import OpenCocoaFoundation

/// Converts texts in a predicate to dates, UUIDs and objects, if they are compared with values of these types.
///
/// A typed predicate has no other way to write such values, but a store never finds a text equal to such a value.
package struct PredicateConstants {
  /// The kind of an expression's value, as far as texts have to be converted to it.
  private enum Kind {
    case attribute(NSAttributeDescription)
    case object(NSEntityDescription)
  }

  /// The entities of SELF and of variables.
  private struct Scope {
    let entity: NSEntityDescription?
    var variables: [String: NSEntityDescription] = [:]
  }

  private let store: any QueriedStore

  package init(_ store: any QueriedStore) { self.store = store }

  /// A text that cannot be converted to the type of the value that it is compared with.
  package struct Mistake: Error {
    package let message: String
    package let constant: String
  }

  /// - Throws: a ``Mistake`` for a text that cannot be converted to the type of the value that it is compared with.
  package func converted(_ predicate: NSPredicate, of entity: String) throws -> NSPredicate {
    try converted(predicate, Scope(entity: store.model?.entitiesByName[entity]))
  }

  private func converted(_ predicate: NSPredicate, _ scope: Scope) throws -> NSPredicate {
    switch predicate.node {
    case .comparison(let comparison):
      var (left, right) = (comparison.leftExpression, comparison.rightExpression)
      let kinds = (kind(of: left, scope), kind(of: right, scope))
      let isTyped = Self.isTyped(comparison.predicateOperatorType, kinds.0)
      left = try converted(left, kinds.1, scope)
      right = try converted(right, isTyped ? kinds.0 : nil, scope)
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType, options: comparison.options)
    case .compound(let type, let parts):
      return NSCompoundPredicate(type: type, subpredicates: try parts.map { try converted($0, scope) })
    case .boolean, .block, .custom: return predicate
    }
  }

  /// Returns whether the right side of a comparison has the type of the left side. Other operators compare texts, or search
  /// collections.
  private static func isTyped(_ type: NSComparisonPredicate.Operator, _ kind: Kind?) -> Bool {
    switch type {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .in, .between: true
    case .contains: if case .object = kind { true } else { false }
    default: false
    }
  }

  // MARK: Expressions

  private func converted(_ expression: NSExpression, _ kind: Kind?, _ scope: Scope) throws -> NSExpression {
    let inside = { (expression: NSExpression) in try converted(expression, nil, scope) }
    switch expression.node {
    case .constant(let value):
      guard let kind, let value else { return expression }
      return NSExpression(forConstantValue: try converted(value, kind))
    case .aggregate(let elements):
      return NSExpression(forAggregate: try elements.map { try converted($0, kind, scope) })
    case .keyPath(let path, let operand?): return NSExpression(node: .keyPath(path, operand: try inside(operand)))
    case .function(let name, let target, let arguments):
      return NSExpression(
        node: .function(name, target: try target.map(inside), arguments: try arguments.map(inside)))
    case .subquery(let collection, let variable, let predicate):
      var inner = scope
      if case .object(let entity) = self.kind(of: collection, scope) {
        inner.variables[variable] = entity
      } else {
        inner.variables[variable] = nil
      }
      return NSExpression(
        node: .subquery(
          collection: try inside(collection), variable: variable, predicate: try converted(predicate, inner)))
    case .conditional(let predicate, let first, let second):
      return NSExpression(
        node: .conditional(
          try converted(predicate, scope), try converted(first, kind, scope), try converted(second, kind, scope)))
    default: return expression
    }
  }

  private func kind(of expression: NSExpression, _ scope: Scope) -> Kind? {
    switch expression.node {
    case .evaluatedObject: return scope.entity.map { .object($0) }
    case .variable(let name): return scope.variables[name].map { .object($0) }
    case .keyPath(let path, let operand):
      let start = operand.map { kind(of: $0, scope) } ?? scope.entity.map { .object($0) }
      return path.split(separator: ".").reduce(start) { kind, key in kind.flatMap { Self.step($0, String(key)) } }
    case .subquery(let collection, _, _): return kind(of: collection, scope)
    default: return nil
    }
  }

  private static func step(_ kind: Kind, _ key: String) -> Kind? {
    // The minimum and maximum of dates are dates, and unions keep the type of their members. Other operators, such as `@count`,
    // give no type that texts are converted to.
    if ["@min", "@max", "@distinctUnionOfObjects", "@unionOfObjects"].contains(key) { return kind }
    if key.lowercased() == "self" { return kind }
    switch kind {
    case .object(let entity):
      if let attribute = entity.attributesByName[key] { return .attribute(attribute) }
      return entity.relationshipsByName[key]?.destinationEntity.map { .object($0) }
    case .attribute(let attribute):
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements
      return elements?.first { $0.name == key }.map { .attribute($0) }
    }
  }

  // MARK: Values

  private func converted(_ value: Any, _ kind: Kind) throws -> Any {
    if let values = value as? [Any] { return try values.map { try converted($0, kind) } }
    guard let text = value as? String else { return value }
    switch kind {
    case .object(let entity): return try object(text, entity)
    case .attribute(let attribute) where attribute.attributeType == .dateAttributeType:
      if let date = ExactDate.date(typed: text) { return date }
      throw mismatch(attribute.name, "a date such as 2024-05-10 or 2024-05-10T18:14:11.5Z", text)
    case .attribute(let attribute) where attribute.attributeType == .UUIDAttributeType:
      if let uuid = UUID(uuidString: text) { return uuid }
      throw mismatch(attribute.name, "a UUID such as 173EF017-8551-4A76-AD07-19D8830FDC81", text)
    case .attribute: return value
    }
  }

  private func object(_ text: String, _ entity: NSEntityDescription) throws -> NSManagedObjectID {
    let name = entity.name ?? ""
    guard let reference = InspectedReference(text) else {
      throw mismatch("an object of \(name)", "its name, such as \(name)/p1", text)
    }
    guard let id = store.objectID(of: reference) else {
      throw Mistake(message: "“\(text)”: there is no entity “\(reference.entity)”.", constant: text)
    }
    guard id.entity.isKindOf(entity: entity) || entity.isKindOf(entity: id.entity) else {
      throw mismatch("an object of \(name)", "one of \(name)", text)
    }
    return id
  }

  private func mismatch(_ subject: String, _ expected: String, _ text: String) -> Mistake {
    Mistake(message: "\(subject) is compared with “\(text)”. Expected \(expected).", constant: text)
  }
}
