import Foundation

/// A predicate that compares the values of two expressions. The parser makes it of `a OP b` in a format; code can also make it
/// without a format.
///
/// ```swift
/// let predicate = NSComparisonPredicate(
///   leftExpression: NSExpression(forKeyPath: "title"), rightExpression: NSExpression(forConstantValue: "mon"),
///   modifier: .direct, type: .beginsWith, options: .caseInsensitive)
/// print(predicate)  // title BEGINSWITH[c] "mon"
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.predicate = predicate
/// print(try context.count(for: request))  // 1
/// ```
///
/// It cannot be changed once it is made, and may be shared between threads that only evaluate it. The class does not exist for a
/// file that imports only Foundation (D-SRC-11).
///
/// Differs from Apple (D-PRE-05): there is no comparison by a selector of your own.
open class NSComparisonPredicate: NSPredicate {
  /// The expression on the left of the operator.
  public let leftExpression: NSExpression

  /// The expression on the right of the operator.
  public let rightExpression: NSExpression

  /// How a collection on the left is compared: as a whole, or by all or any of its elements.
  public let comparisonPredicateModifier: Modifier

  /// The operator.
  public let predicateOperatorType: Operator

  /// How strings are compared. Without options, case and diacritics count.
  public let options: Options

  /// Values that evaluation needs and that are computed once from the other properties.
  let prepared: PreparedComparison

  /// The comparison compiled for the objects that it was evaluated with.
  let compiled = ShapeCache<CompiledTest>()

  /// Makes a predicate that compares two expressions.
  ///
  /// ```swift
  /// let anyTag = NSComparisonPredicate(
  ///   leftExpression: NSExpression(forKeyPath: "tags.name"), rightExpression: NSExpression(forConstantValue: "work"),
  ///   modifier: .any, type: .equalTo)
  /// print(anyTag)  // ANY tags.name == "work"
  /// ```
  ///
  /// - Parameters:
  ///   - lhs: The expression on the left of the operator.
  ///   - rhs: The expression on the right of the operator.
  ///   - modifier: How a collection on the left is compared: `direct` as a whole, `any` and `all` by its elements.
  ///   - type: The operator; `customSelector` stops the program (D-PRE-05).
  ///   - options: How strings are compared, for example without regard to case or to diacritics.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier, type: Operator,
    options: Options = []
  ) {
    if type == .customSelector {
      raise(
        .invalidArgument, "A comparison by a custom selector cannot be made: methods cannot be called by name here.")
    }
    leftExpression = lhs
    rightExpression = rhs
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    prepared = PreparedComparison(lhs, rhs, modifier, type, options)
    // The superclass is given a block, because Foundation's predicates that are made of a value are equal if their values are.
    // A predicate that is made of a block equals only itself.
    super.init(block: { _, _ in false })
  }

  /// Decodes a comparison that was archived here or by Apple's frameworks.
  ///
  /// Returns nil and reports an error (4864) to the coder if the archive is no comparison.
  public required init?(coder: NSCoder) {
    let parts = coder.decoding {
      let right = try coder.archivedExpression("NSRightExpression")
      let comparison = try coder.archived(PredicateOperator.self, "NSPredicateOperator")
      // An invalid pattern would stop the program later.
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
    prepared = PreparedComparison(left, right, comparison.modifier, comparison.type, comparison.options)
    super.init(block: { _, _ in false })
  }

  /// Compares the values of both expressions for an object.
  ///
  /// Stops the program if the evaluation fails, for example because the object does not have a key. For predicates from outside
  /// use `evaluateChecked(with:substitutionVariables:)`.
  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    EvaluatorQuestion.answering(self, otherwise: false) { try evaluated(with: object, bindings: bindings ?? [:]) }
  }

  /// The text of the predicate in the format language.
  open override var predicateFormat: String { description }

  open override var description: String { PredicatePrinter.text(of: self) }

  open override var classForKeyedArchiver: AnyClass? {
    type(of: self) == NSComparisonPredicate.self
      ? ArchivedClasses.named("NSComparisonPredicate") ?? NSComparisonPredicate.self : type(of: self)
  }

  /// Returns the predicate itself, because predicates cannot change.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSComparisonPredicate, type(of: other) == type(of: self) else { return false }
    return self === other
      || StackRoom.isLeft && predicateOperatorType == other.predicateOperatorType && options == other.options
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
