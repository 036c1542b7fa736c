import Foundation

extension NSPredicate {
  /// Returns a copy in which variables are replaced by values.
  ///
  /// - Parameter variables: The values by the names of the variables; NSNull stands for nil. A variable that has no value here
  ///   remains in the copy.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    // The copy has the same class as the original. Instances of subclasses are not copied and stay as they are.
    substituting(variables) as? Self ?? self
  }

  private func substituting(_ variables: [String: Any]) -> NSPredicate {
    guard !variables.isEmpty, StackRoom.isLeft else { return self }
    switch node {
    case .comparison(let comparison) where type(of: comparison) == NSComparisonPredicate.self:
      return NSComparisonPredicate(
        leftExpression: comparison.leftExpression.substituting(variables),
        rightExpression: comparison.rightExpression.substituting(variables),
        modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
        options: comparison.options)
    case .compound(let type, let subpredicates):
      return NSCompoundPredicate(type: type, subpredicates: subpredicates.map { $0.substituting(variables) })
    default:
      return self
    }
  }
}

extension NSExpression {
  /// Returns a copy in which variables are replaced by values.
  package func substituting(_ variables: [String: Any]) -> NSExpression {
    guard type(of: self) == NSExpression.self || type(of: self) == NSFetchRequestExpression.self else { return self }
    // An expression that is too deep for the stack cannot be evaluated either, and evaluation reports that.
    guard StackRoom.isLeft else { return self }
    let replace = { (expression: NSExpression) in expression.substituting(variables) }
    switch node {
    case .constant, .evaluatedObject, .anyKey: return self
    case .variable(let name):
      guard let value = variables[name] else { return self }
      return value as? NSExpression ?? NSExpression(forConstantValue: isNull(value) ? nil : value)
    case .keyPath(let path, let operand):
      guard let operand else { return self }
      return NSExpression(node: .keyPath(path, operand: replace(operand)))
    case .function(let name, let target, let arguments):
      return NSExpression(node: .function(name, target: target.map(replace), arguments: arguments.map(replace)))
    case .unionSet(let left, let right): return NSExpression(node: .unionSet(replace(left), replace(right)))
    case .intersectSet(let left, let right): return NSExpression(node: .intersectSet(replace(left), replace(right)))
    case .minusSet(let left, let right): return NSExpression(node: .minusSet(replace(left), replace(right)))
    case .subquery(let collection, let variable, let predicate):
      // Within the subquery, the name means the subquery's own variable.
      let inner = variables.filter { $0.key != variable }
      return NSExpression(
        node: .subquery(
          collection: replace(collection), variable: variable,
          predicate: predicate.withSubstitutionVariables(inner)))
    case .aggregate(let expressions): return NSExpression(node: .aggregate(expressions.map(replace)))
    case .block(let block, let arguments):
      return NSExpression(node: .block(block, arguments: arguments?.map(replace)))
    case .fetch(let request, let context, let countOnly):
      return NSFetchRequestExpression(
        node: .fetch(request: replace(request), context: replace(context), countOnly: countOnly))
    case .conditional(let predicate, let first, let second):
      return NSExpression(
        node: .conditional(predicate.withSubstitutionVariables(variables), replace(first), replace(second)))
    }
  }
}
