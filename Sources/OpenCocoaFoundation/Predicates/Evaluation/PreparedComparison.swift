import Foundation

/// What a comparison makes of its parts once, so that each evaluation does less.
struct PreparedComparison {
  let evaluator: ComparisonEvaluator

  /// The right side of IN, if it is a long constant collection.
  let elementSet: ElementSet?

  /// The right side, if it is a constant: folded once.
  let constantOperand: Operand?

  /// The left side, if it is a key of the evaluated object.
  let leftKey: String?

  /// The right side, if it is a constant string that a key is compared with for equality.
  let constantText: String?

  init(
    _ left: NSExpression, _ right: NSExpression, _ modifier: NSComparisonPredicate.Modifier,
    _ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options
  ) {
    evaluator = ComparisonEvaluator(type, options)
    elementSet = Self.elementSet(of: right, type: type, options: options)
    if elementSet == nil, case .constant(let value) = right.node, Swift.type(of: right) == NSExpression.self {
      constantOperand = evaluator.prepared(Operand(value))
    } else {
      constantOperand = nil
    }
    if case .keyPath(let key, nil) = left.node, left.keys.isEmpty, Swift.type(of: left) == NSExpression.self {
      leftKey = key
    } else {
      leftKey = nil
    }
    if case .string(let text) = constantOperand, leftKey != nil, modifier == .direct, evaluator.isEquality {
      constantText = text
    } else {
      constantText = nil
    }
  }

  /// The few elements of a short collection are compared one by one as fast.
  private static func elementSet(
    of expression: NSExpression, type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options
  ) -> ElementSet? {
    guard type == .in, !options.contains(.localeSensitive), case .constant(let value) = expression.node,
      let elements = elements(of: value), elements.count > 8
    else { return nil }
    return ElementSet(elements, options.contains(.normalized) ? [] : options)
  }
}
