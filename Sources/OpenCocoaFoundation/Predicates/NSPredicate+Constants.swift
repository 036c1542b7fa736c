import Foundation

// The constants of predicates and expressions, such as the objects that they name.
extension NSPredicate {
  /// Whether `isMeant` is true for a constant in the predicate.
  package func containsConstant(_ isMeant: (Any?) -> Bool) -> Bool {
    // A predicate that is too deep for the stack cannot be evaluated either, and evaluation reports that.
    guard StackRoom.isLeft else { return false }
    return switch node {
    case .comparison(let comparison):
      comparison.leftExpression.containsConstant(isMeant) || comparison.rightExpression.containsConstant(isMeant)
    case .compound(_, let parts): parts.contains { $0.containsConstant(isMeant) }
    default: false
    }
  }

  /// Returns a copy with other constants. Instances of subclasses stay as they are.
  package func replacingConstants(_ replace: @escaping (Any?) -> Any?) -> NSPredicate {
    guard StackRoom.isLeft else { return self }
    switch node {
    case .comparison(let comparison) where type(of: comparison) == NSComparisonPredicate.self:
      return NSComparisonPredicate(
        leftExpression: comparison.leftExpression.replacingConstants(replace),
        rightExpression: comparison.rightExpression.replacingConstants(replace),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options)
    case .compound(let type, let parts):
      return NSCompoundPredicate(type: type, subpredicates: parts.map { $0.replacingConstants(replace) })
    default: return self
    }
  }
}

extension NSExpression {
  /// Whether `isMeant` is true for a constant in the expression.
  package func containsConstant(_ isMeant: (Any?) -> Bool) -> Bool {
    guard StackRoom.isLeft else { return false }
    return switch node {
    case .constant(let value): isMeant(value)
    case .evaluatedObject, .anyKey, .variable: false
    case .keyPath(_, let operand): operand?.containsConstant(isMeant) ?? false
    case .function(_, let target, let arguments):
      target?.containsConstant(isMeant) ?? false || arguments.contains { $0.containsConstant(isMeant) }
    case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right):
      left.containsConstant(isMeant) || right.containsConstant(isMeant)
    case .subquery(let collection, _, let predicate):
      collection.containsConstant(isMeant) || predicate.containsConstant(isMeant)
    case .aggregate(let parts): parts.contains { $0.containsConstant(isMeant) }
    case .block(_, let arguments): arguments?.contains { $0.containsConstant(isMeant) } ?? false
    // The constants of a fetch are not searched: the fetch uses the context that the expression names.
    case .fetch: false
    case .conditional(let predicate, let first, let second):
      predicate.containsConstant(isMeant) || first.containsConstant(isMeant) || second.containsConstant(isMeant)
    }
  }

  /// Returns a copy with other constants.
  package func replacingConstants(_ replace: @escaping (Any?) -> Any?) -> NSExpression {
    guard type(of: self) == NSExpression.self, StackRoom.isLeft else { return self }
    let inner = { (expression: NSExpression) in expression.replacingConstants(replace) }
    switch node {
    case .constant(let value): return NSExpression(forConstantValue: replace(value))
    case .evaluatedObject, .anyKey, .variable, .fetch: return self
    case .keyPath(let path, let operand):
      return operand.map { NSExpression(node: .keyPath(path, operand: inner($0))) } ?? self
    case .function(let name, let target, let arguments):
      return NSExpression(node: .function(name, target: target.map(inner), arguments: arguments.map(inner)))
    case .unionSet(let left, let right): return NSExpression(node: .unionSet(inner(left), inner(right)))
    case .intersectSet(let left, let right): return NSExpression(node: .intersectSet(inner(left), inner(right)))
    case .minusSet(let left, let right): return NSExpression(node: .minusSet(inner(left), inner(right)))
    case .subquery(let collection, let variable, let predicate):
      return NSExpression(
        node: .subquery(
          collection: inner(collection), variable: variable, predicate: predicate.replacingConstants(replace)))
    case .aggregate(let parts): return NSExpression(node: .aggregate(parts.map(inner)))
    case .block(let block, let arguments):
      return NSExpression(node: .block(block, arguments: arguments?.map(inner)))
    case .conditional(let predicate, let first, let second):
      return NSExpression(
        node: .conditional(predicate.replacingConstants(replace), inner(first), inner(second)))
    }
  }
}
