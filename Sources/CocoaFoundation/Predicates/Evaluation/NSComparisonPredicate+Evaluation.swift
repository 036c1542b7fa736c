import Foundation

extension NSComparisonPredicate {
  /// Compares the values of both expressions for an object.
  func evaluated(with object: Any?, bindings: [String: Any]) -> Bool {
    let left = leftExpression.value(with: object, bindings: bindings)
    guard comparisonPredicateModifier != .direct else {
      let left = Operand(left)
      if let elementSet { return elementSet.contains(left) }
      return evaluator.holds(left, Operand(rightExpression.value(with: object, bindings: bindings)))
    }
    let right = elementSet == nil ? Operand(rightExpression.value(with: object, bindings: bindings)) : .null
    let evaluator = evaluator
    let holds = { (element: Any) -> Bool in
      let element = Operand(element)
      return self.elementSet?.contains(element) ?? evaluator.holds(element, right)
    }
    let elements = quantifiedElements(of: left)
    return comparisonPredicateModifier == .any ? elements.contains(where: holds) : elements.allSatisfy(holds)
  }

  private var evaluator: ComparisonEvaluator {
    ComparisonEvaluator(predicateOperatorType, options)
  }

  /// The elements that ANY and ALL go through: a path through two to-many relationships gives sets of sets.
  private func quantifiedElements(of value: Any?) -> [Any] {
    guard let value = unwrapped(value), !(value is NSNull) else { return [] }
    guard let elements = elements(of: value) else {
      raise(
        .invalidArgument,
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    }
    return elements.flatMap { isCollection($0) ? quantifiedElements(of: $0) : [$0] }
  }
}
