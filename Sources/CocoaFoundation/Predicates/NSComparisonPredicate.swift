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

  /// The right side of IN, if it is a long constant collection.
  let elementSet: ElementSet?

  /// The right side, if it is a constant: folded once.
  let constantOperand: Operand?

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
    elementSet = Self.elementSet(of: rhs, type: type, options: options)
    constantOperand = elementSet == nil ? Self.operand(of: rhs, type: type, options: options) : nil
    // Foundation compares predicates made of a value by that value alone; one made of a block equals only itself.
    super.init(block: { _, _ in false })
  }

  /// Decodes a comparison that was archived here or by Apple's frameworks.
  ///
  /// Gives nil, and the coder an error (4864), for an archive that is no comparison.
  public required init?(coder: NSCoder) {
    let parts = coder.decoding {
      let right = try coder.archivedExpression("NSRightExpression")
      let comparison = try coder.archived(PredicateOperator.self, "NSPredicateOperator")
      // A pattern that is none would stop the program later.
      if comparison.type == .matches, case .constant(let pattern as String) = right.node {
        _ = try RegularExpressions.matches("", pattern: pattern, options: comparison.options)
      }
      return (try coder.archivedExpression("NSLeftExpression"), right, comparison)
    }
    guard let (left, right, comparison) = parts else { return nil }
    leftExpression = left
    rightExpression = right
    comparisonPredicateModifier = comparison.modifier
    predicateOperatorType = comparison.type
    options = comparison.options
    elementSet = Self.elementSet(of: right, type: comparison.type, options: comparison.options)
    constantOperand =
      elementSet == nil ? Self.operand(of: right, type: comparison.type, options: comparison.options) : nil
    super.init(block: { _, _ in false })
  }

  private static func operand(of expression: NSExpression, type: Operator, options: Options) -> Operand? {
    guard case .constant(let value) = expression.node, Swift.type(of: expression) == NSExpression.self else {
      return nil
    }
    return ComparisonEvaluator(type, options).prepared(Operand(value))
  }

  /// The few elements of a short collection are compared one by one as fast.
  private static func elementSet(of expression: NSExpression, type: Operator, options: Options) -> ElementSet? {
    guard type == .in, !options.contains(.localeSensitive), case .constant(let value) = expression.node,
      let elements = elements(of: value), elements.count > 8
    else { return nil }
    return ElementSet(elements, options.contains(.normalized) ? [] : options)
  }

  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    evaluated(with: object, bindings: bindings ?? [:])
  }

  /// The text that this predicate is parsed from.
  open override var predicateFormat: String { description }

  open override var description: String { PredicatePrinter.text(of: self) }

  open override var classForKeyedArchiver: AnyClass? {
    type(of: self) == NSComparisonPredicate.self ? ArchivedClasses.named("NSComparisonPredicate") : type(of: self)
  }

  /// Gives back the predicate itself, since none can change.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSComparisonPredicate, type(of: other) == type(of: self) else { return false }
    return self === other
      || predicateOperatorType == other.predicateOperatorType && options == other.options
        && comparisonPredicateModifier == other.comparisonPredicateModifier
        && leftExpression == other.leftExpression && rightExpression == other.rightExpression
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(predicateOperatorType)
    hasher.combine(leftExpression)
    hasher.combine(rightExpression)
    return hasher.finalize()
  }
}
