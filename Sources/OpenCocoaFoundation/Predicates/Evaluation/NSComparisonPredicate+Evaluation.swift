import Foundation

extension NSComparisonPredicate {
  /// Compares the values of both expressions for an object.
  func evaluated(with object: Any?, bindings: [String: Any]) -> Bool {
    var evaluator = prepared.evaluator
    let left: Any?
    if let leftKey = prepared.leftKey {
      left = KeyValueCoding.gathered(from: object, forKey: leftKey)
      // What most comparisons are goes without a detour.
      if let constantText = prepared.constantText, let left, let text = exactString(left) {
        return StringBytes.equal(evaluator.folded(text), constantText) == (predicateOperatorType == .equalTo)
      }
    } else {
      left = leftExpression.value(with: object, bindings: bindings)
    }
    if let elementSet = prepared.elementSet {
      return holds(left) { elementSet.contains(Operand($0)) }
    }
    let right =
      prepared.constantOperand
      ?? evaluator.prepared(Operand(rightExpression.value(with: object, bindings: bindings)))
    // `ANY friends == %@` with several friends: any of them will do, as in a fetch.
    if comparisonPredicateModifier == .any, predicateOperatorType == .equalTo, case .collection = right {
      evaluator = ComparisonEvaluator(.in, options)
    }
    return holds(left) { evaluator.holds(evaluator.prepared(Operand($0)), right) }
  }

  private func holds(_ left: Any?, _ test: (Any?) -> Bool) -> Bool {
    switch comparisonPredicateModifier {
    case .direct: test(left)
    case .any: quantifiedElements(of: left).contains(where: test)
    case .all: quantifiedElements(of: left).allSatisfy(test)
    }
  }

  /// The elements that ANY and ALL go through: a path through two to-many relationships gives sets of sets.
  private func quantifiedElements(of value: Any?) -> [Any] {
    guard let value = unwrapped(value), !(value is NSNull) else { return [] }
    guard let elements = (value as? GatheredSet)?.values ?? elements(of: value) else {
      raise(
        .invalidArgument,
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    }
    return elements.flatMap { isCollection($0) ? quantifiedElements(of: $0) : [$0] }
  }
}
