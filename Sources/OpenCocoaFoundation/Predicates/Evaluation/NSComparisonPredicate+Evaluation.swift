import Foundation

extension NSComparisonPredicate {
  /// Compares the values of both expressions for an object.
  ///
  /// - Throws: `OCDEvaluationError`, which names this comparison or a smaller one inside of it.
  func evaluated(with object: Any?, bindings: [String: Any]) throws -> Bool {
    if let object, let answer = compiledAnswer(for: object) { return answer }
    do {
      return try compared(with: object, bindings: bindings)
    } catch let error as OCDEvaluationError {
      throw error.inPart(
        depth > TreeRelease.depth ? "a comparison of \(depth) levels" : PredicatePrinter.text(of: self))
    }
  }

  private func compared(with object: Any?, bindings: [String: Any]) throws -> Bool {
    var evaluator = prepared.evaluator
    let left: Any?
    if let leftKey = prepared.leftKey {
      left = try KeyValueCoding.gathered(from: object, forKey: leftKey)
      // The most frequent comparison, of a key with a constant string, has a shorter path.
      if let constantText = prepared.constantText, let left, let text = exactString(left) {
        return StringBytes.equal(evaluator.folded(text), constantText) == (predicateOperatorType == .equalTo)
      }
    } else {
      left = try leftExpression.value(with: object, bindings: bindings)
    }
    if let elementSet = prepared.elementSet {
      return try holds(left) { elementSet.contains(Operand($0)) }
    }
    let right =
      try prepared.constantOperand
      ?? evaluator.prepared(Operand(try rightExpression.value(with: object, bindings: bindings)))
    // In `ANY friends == %@` with several friends as the argument, one of them suffices, as in a fetch.
    if comparisonPredicateModifier == .any, predicateOperatorType == .equalTo, case .collection = right {
      evaluator = ComparisonEvaluator(.in, options)
    }
    return try holds(left) { try evaluator.holds(evaluator.prepared(Operand($0)), right) }
  }

  private func holds(_ left: Any?, _ test: (Any?) throws -> Bool) throws -> Bool {
    switch comparisonPredicateModifier {
    case .direct: try test(left)
    case .any: try quantifiedElements(of: left).contains(where: test)
    case .all: try quantifiedElements(of: left).allSatisfy(test)
    }
  }

  /// Returns the elements that ANY and ALL compare. The value of a path through two to-many relationships is a set of sets, which
  /// is flattened.
  private func quantifiedElements(of value: Any?) throws -> [Any] {
    guard let value = unwrapped(value), !isNull(value) else { return [] }
    guard let elements = (value as? GatheredSet)?.values ?? elements(of: value) else {
      throw OCDEvaluationError(
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    }
    return try elements.flatMap { isCollection($0) ? try quantifiedElements(of: $0) : [$0] }
  }
}
