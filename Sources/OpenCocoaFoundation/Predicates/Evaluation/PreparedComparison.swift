import Foundation

/// Values that are computed once from the parts of a comparison, so that each evaluation takes less time.
struct PreparedComparison {
  let evaluator: ComparisonEvaluator

  /// The right side of IN, if it is a long constant collection.
  let elementSet: ElementSet?

  /// The right side, already folded, if it is a constant.
  let constantOperand: Operand?

  /// The left side, if it is a key of the evaluated object.
  let leftKey: String?

  /// The right side, if it is a constant string and the left side is a key that is compared with it for equality.
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

  /// Makes the element set of the right side of IN; nil for a collection of up to 8 elements, because comparing them one by one
  /// is as fast.
  private static func elementSet(
    of expression: NSExpression, type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options
  ) -> ElementSet? {
    guard type == .in, !options.contains(.localeSensitive),
      let collection = constantCollection(expression), let count = elementCount(of: collection), count > 8
    else { return nil }
    return ElementSet(collection, options.contains(.normalized) ? [] : options)
  }

  /// Returns the operand of a constant collection, or of an aggregate of constants; else nil.
  static func constant(_ expression: NSExpression) -> Operand? { constantCollection(expression).map { Operand($0) } }

  /// Returns the value of a constant, or the values of an aggregate of constants; else nil.
  private static func constantCollection(_ expression: NSExpression) -> Any? {
    guard Swift.type(of: expression) == NSExpression.self else { return nil }
    switch expression.node {
    case .constant(let value): return value
    case .aggregate(let expressions):
      var values: [Any] = []
      for expression in expressions {
        guard Swift.type(of: expression) == NSExpression.self, case .constant(let value) = expression.node else {
          return nil
        }
        values.append(value ?? NSNull())
      }
      return values
    default: return nil
    }
  }
}
