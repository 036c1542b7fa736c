import Foundation

/// A predicate that compares the values of two expressions.
open class NSComparisonPredicate: NSPredicate {
  /// The expression on the left of the operator.
  public let leftExpression: NSExpression

  /// The expression on the right of the operator.
  public let rightExpression: NSExpression

  /// How a collection on the left is treated.
  public let comparisonPredicateModifier: Modifier

  /// The operator.
  public let predicateOperatorType: Operator

  /// How strings are compared.
  public let options: Options

  /// Makes a predicate that compares two expressions.
  ///
  /// - Parameters:
  ///   - lhs: The expression on the left of the operator.
  ///   - rhs: The expression on the right of the operator.
  ///   - modifier: How a collection on the left is treated.
  ///   - type: The operator.
  ///   - options: How strings are compared.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier, type: Operator,
    options: Options = []
  ) {
    leftExpression = lhs
    rightExpression = rhs
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    // Foundation compares predicates made of a value by that value alone; one made of a block equals only itself.
    super.init(block: { _, _ in false })
  }
}
