import Foundation

/// Compiles predicates for the objects of one class and shape.
///
/// Each test says what `ComparisonEvaluator` says of the same values. A test that the compiler has no special form of reads the
/// operands and asks `ComparisonEvaluator` itself.
struct PredicateCompiler {
  /// An object of the class and the shape.
  let object: any PlacedProperties

  /// The greatest number of levels of a compound: tests are nested as deep as predicates.
  static let maximumLevels: Int32 = 32

  init(_ object: any PlacedProperties) { self.object = object }

  // MARK: Compounds

  /// - Returns: nil if no part can be compiled.
  func test(_ compound: NSCompoundPredicate) -> CompiledTest? {
    let type = compound.compoundPredicateType
    let parts = compound.subpredicates.prefix(type == .not ? 1 : .max).map(part)
    guard parts.contains(where: { $0 != nil }) else { return nil }
    let tests = parts.map { $0 ?? { _ in .unknown } }
    switch type {
    case .not:
      let test = tests[0]
      return { object in
        switch test(object) {
        case .no: .yes
        case .yes: .no
        case .unknown: .unknown
        }
      }
    case .and: return Self.combined(tests, deciding: .no, otherwise: .yes)
    case .or: return Self.combined(tests, deciding: .yes, otherwise: .no)
    }
  }

  /// Asks the tests in order, until one gives the deciding answer or cannot tell.
  private static func combined(
    _ tests: [CompiledTest], deciding: CompiledAnswer, otherwise: CompiledAnswer
  ) -> CompiledTest {
    if tests.count == 2 {
      let (first, second) = (tests[0], tests[1])
      return { object in
        let answer = first(object)
        return answer == otherwise ? second(object) : answer
      }
    }
    return { object in
      for test in tests {
        let answer = test(object)
        if answer != otherwise { return answer }
      }
      return otherwise
    }
  }

  private func part(_ predicate: NSPredicate) -> CompiledTest? {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      return type(of: comparison) == NSComparisonPredicate.self ? test(comparison) : nil
    case let compound as NSCompoundPredicate:
      return type(of: compound) == NSCompoundPredicate.self ? test(compound) : nil
    case let boolean as BooleanPredicate:
      let answer = CompiledAnswer(boolean.value)
      return { _ in answer }
    default: return nil
    }
  }

  // MARK: Comparisons

  /// - Returns: nil if the comparison cannot be compiled.
  func test(_ comparison: NSComparisonPredicate) -> CompiledTest? {
    let evaluator = comparison.prepared.evaluator
    guard comparison.comparisonPredicateModifier == .direct, let left = side(comparison.leftExpression, evaluator)
    else { return nil }
    switch comparison.predicateOperatorType {
    case .in: return membership(of: left, in: comparison)
    case .between: return between(left, comparison)
    default: break
    }
    guard
      let right = comparison.prepared.constantOperand.map(Side.constant)
        ?? side(comparison.rightExpression, evaluator)
    else { return nil }
    switch (left, right) {
    case (.constant, .constant): return nil
    case (_, .constant(let constant)): return test(left, evaluator, constant)
    case (.constant(let constant), _):
      guard let operation = evaluator.operation.exchanged else { return general(left, evaluator, right) }
      return test(right, ComparisonEvaluator(operation, evaluator.options), constant)
    default: return general(left, evaluator, right)
    }
  }

  /// Compares what an object has with a prepared constant.
  func test(_ side: Side, _ evaluator: ComparisonEvaluator, _ constant: Operand) -> CompiledTest? {
    if let number = side.number, evaluator.operation.exchanged != nil,
      let test = NumberTest.comparing(number, evaluator.operation, constant)
    {
      return test
    }
    if case .property(.text(let read)) = side,
      let test = TextTest.comparing(read, evaluator, constant)
    {
      return test
    }
    return general(side, evaluator, .constant(constant))
  }

  /// Compares two sides, by the evaluator if they are not both numbers. A comparison that fails is repeated by the general
  /// evaluator, whose error names it.
  private func general(_ left: Side, _ evaluator: ComparisonEvaluator, _ right: Side) -> CompiledTest? {
    if let left = left.number, let right = right.number, evaluator.operation.exchanged != nil {
      return NumberTest.comparing(left, evaluator.operation, right)
    }
    guard let left = left.operand(evaluator), let right = right.operand(evaluator) else { return nil }
    return { object in
      guard let left = left(object), let right = right(object), let holds = try? evaluator.holds(left, right) else {
        return .unknown
      }
      return CompiledAnswer(holds)
    }
  }

  // MARK: Expressions

  /// One side of a comparison.
  enum Side {
    /// A constant, which is prepared for the evaluator.
    case constant(Operand)
    case property(PropertyReader)
    /// A number that is computed of properties.
    case computed(NumberTest.Source)

    /// The source of the number, if it is one that is not constant.
    var number: NumberTest.Source? {
      switch self {
      case .constant, .property(.text), .property(.other): nil
      case .property(.integer(let read)): NumberTest.Source(read: read, isWhole: true)
      case .property(.real(let read)), .property(.date(let read)): NumberTest.Source(read: read, isWhole: false)
      case .computed(let source): source
      }
    }

    /// Reads the operand, and prepares it for the evaluator; nil if the reader of the object refuses. There is no operand of a
    /// computed number: it may have to be a date.
    func operand(_ evaluator: ComparisonEvaluator) -> ((NSObject) -> Operand?)? {
      switch self {
      case .constant(let operand):
        return { _ in operand }
      case .property(let reader): return { reader.operand(of: $0).map(evaluator.prepared) }
      case .computed: return nil
      }
    }
  }

  /// - Returns: nil if the expression cannot be compiled.
  func side(_ expression: NSExpression, _ evaluator: ComparisonEvaluator) -> Side? {
    guard type(of: expression) == NSExpression.self else { return nil }
    switch expression.node {
    case .constant(let value): return Self.mayChange(value) ? nil : .constant(evaluator.prepared(Operand(value)))
    case .keyPath:
      guard let reader = reader(expression) else { return nil }
      return .property(reader)
    case .function: return arithmetic(expression).map { .computed(NumberTest.Source(read: $0, isWhole: false)) }
    default: return nil
    }
  }

  /// Whether a constant may change after it was compiled.
  static func mayChange(_ constant: Any?) -> Bool {
    switch constant {
    case is NSMutableString, is NSMutableData, is NSMutableArray, is NSMutableSet, is NSMutableOrderedSet,
      is NSMutableDictionary:
      true
    default: false
    }
  }

  /// Returns the reader of a key path of one key.
  func reader(_ expression: NSExpression) -> PropertyReader? {
    guard case .keyPath(let key, let operand) = expression.node, expression.keys.isEmpty else { return nil }
    if let operand {
      guard type(of: operand) == NSExpression.self, case .evaluatedObject = operand.node else { return nil }
    }
    return object.propertyReader(forKey: key)
  }
}

extension NSComparisonPredicate.Operator {
  /// The operator that says the same of exchanged sides; nil if it is none of equality and order.
  var exchanged: Self? {
    switch self {
    case .equalTo, .notEqualTo: self
    case .lessThan: .greaterThan
    case .lessThanOrEqualTo: .greaterThanOrEqualTo
    case .greaterThan: .lessThan
    case .greaterThanOrEqualTo: .lessThanOrEqualTo
    default: nil
    }
  }
}
