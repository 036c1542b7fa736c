import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate
import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

/// A predicate without its values: `name LIKE[cd] "*…"` and `age > $value`.
///
/// The shape shows which index a predicate could use, and reveals no values.
enum PredicateShape {
  /// Returns the format of a predicate, with a variable in place of every constant. Only the wildcards of patterns are kept.
  static func text(of predicate: NSPredicate) -> String { PredicatePrinter.text(of: masked(predicate)) }

  private static func masked(_ predicate: NSPredicate) -> NSPredicate {
    // Parts that are nested deeper than the stack allows are left out.
    guard StackRoom.isLeft else { return NSPredicate(value: false) }
    switch predicate.node {
    case .comparison(let comparison):
      let isPattern = [.like, .matches].contains(comparison.predicateOperatorType)
      return NSComparisonPredicate(
        leftExpression: masked(comparison.leftExpression),
        rightExpression: masked(comparison.rightExpression, isPattern: isPattern),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options)
    case .compound(let type, let parts): return NSCompoundPredicate(type: type, subpredicates: parts.map(masked))
    case .boolean, .block: return predicate
    case .custom: return NSPredicate { _, _ in false }
    }
  }

  private static func masked(_ expression: NSExpression, isPattern: Bool = false) -> NSExpression {
    guard StackRoom.isLeft else { return NSExpression(forVariable: "value") }
    let node: ExpressionNode
    switch expression.node {
    case .constant(let value):
      if value == nil || isNull(value) { return expression }
      if isPattern, let pattern = value as? String { return NSExpression(forConstantValue: wildcards(pattern)) }
      return NSExpression(forVariable: "value")
    case .aggregate: return NSExpression(forVariable: "values")
    case .evaluatedObject, .variable, .anyKey: return expression
    case .block, .fetch: return NSExpression(forVariable: "value")
    case .keyPath(let path, let operand): node = .keyPath(path, operand: operand.map { masked($0) })
    case .function(let name, let target, let arguments):
      node = .function(name, target: target.map { masked($0) }, arguments: arguments.map { masked($0) })
    case .unionSet(let left, let right): node = .unionSet(masked(left), masked(right))
    case .intersectSet(let left, let right): node = .intersectSet(masked(left), masked(right))
    case .minusSet(let left, let right): node = .minusSet(masked(left), masked(right))
    case .subquery(let collection, let variable, let predicate):
      node = .subquery(collection: masked(collection), variable: variable, predicate: masked(predicate))
    case .conditional(let predicate, let first, let second):
      node = .conditional(masked(predicate), masked(first), masked(second))
    }
    return NSExpression(node: node)
  }

  private static func wildcards(_ pattern: String) -> String {
    var shape = ""
    for character in pattern {
      if "*?.".contains(character) { shape.append(character) } else if shape.last != "…" { shape.append("…") }
    }
    return shape
  }
}
