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

  /// The left side, if it is a key of the evaluated object.
  let leftKey: String?

  /// The right side, if it is a constant string that a key is compared with for equality.
  let constantText: String?

  let evaluator: ComparisonEvaluator

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
    evaluator = ComparisonEvaluator(type, options)
    elementSet = Self.elementSet(of: rhs, type: type, options: options)
    if elementSet == nil, case .constant(let value) = rhs.node, Swift.type(of: rhs) == NSExpression.self {
      constantOperand = evaluator.prepared(Operand(value))
    } else {
      constantOperand = nil
    }
    if case .keyPath(let key, nil) = lhs.node, lhs.keys.isEmpty, Swift.type(of: lhs) == NSExpression.self {
      leftKey = key
    } else {
      leftKey = nil
    }
    if case .string(let text) = constantOperand, leftKey != nil, modifier == .direct, evaluator.isEquality {
      constantText = text
    } else {
      constantText = nil
    }
    // Foundation compares predicates made of a value by that value alone; one made of a block equals only itself.
    super.init(block: { _, _ in false })
  }

  /// Decodes a comparison that was archived here or by Apple's frameworks.
  ///
  /// Gives nil, and the coder an error (4864), for an archive that is no comparison.
  public required convenience init?(coder: NSCoder) {
    let parts = coder.decoding {
      (
        try coder.archivedExpression("NSLeftExpression"), try coder.archivedExpression("NSRightExpression"),
        try coder.archived(PredicateOperator.self, "NSPredicateOperator")
      )
    }
    guard let (left, right, comparison) = parts else { return nil }
    self.init(
      leftExpression: left, rightExpression: right, modifier: comparison.modifier, type: comparison.type,
      options: comparison.options)
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
