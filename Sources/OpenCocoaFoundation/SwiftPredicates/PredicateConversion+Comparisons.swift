import Foundation

extension PredicateExpressions.Equal: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(try conversion.equality(lhs, rhs, isEqual: true))
  }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(try conversion.equality(lhs, rhs, isEqual: false))
  }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isOrdered(LHS.Output.self) else { throw OCDConversionError.unordered(LHS.Output.self) }
    let type: NSComparisonPredicate.Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      @unknown default: throw OCDConversionError.operator("\(op)")
      }
    return .predicate(.comparison(try conversion.expression(lhs), type, try conversion.expression(rhs)))
  }
}

extension PredicateConversion {
  fileprivate mutating func equality<Left: PredicateExpression, Right: PredicateExpression>(
    _ left: Left, _ right: Right, isEqual: Bool
  ) throws -> NSPredicate {
    if let order = left as? any StringOrderExpression, let result = try? right.evaluate(PredicateBindings()),
      let result = result as? ComparisonResult
    {
      return try order.comparison(result, isEqual, &self)
    }
    // A condition may be on either side: `true == $0.children.contains { ... }`.
    let sides = [try convert(left), try convert(right)]
    for (condition, truth) in [(sides[0], sides[1].truth), (sides[1], sides[0].truth)] {
      if let truth, let predicate = condition.predicate(is: truth, isEqual) { return predicate }
    }
    for (type, other) in [(Left.Output.self as Any.Type, sides[1]), (Right.Output.self, sides[0])]
    where isToMany(type) && other.isNil { return NSPredicate(value: !isEqual) }
    return .comparison(sides[0].expression, isEqual ? .equalTo : .notEqualTo, sides[1].expression)
  }
}

extension ConvertedExpression {
  /// The value of a constant as a Boolean; nil if this is no constant number.
  fileprivate var truth: Bool? {
    if case .expression(let expression) = self { expression.truth } else { nil }
  }

  /// Whether this is the constant nil.
  fileprivate var isNil: Bool {
    guard case .expression(let expression) = self, case .constant(let value) = expression.node else { return false }
    return isNull(value)
  }

  /// The condition that this condition has a value, or, if `isEqual` is false, that it has not; nil if this is no condition.
  fileprivate func predicate(is truth: Bool, _ isEqual: Bool) -> NSPredicate? {
    switch self {
    case .expression: return nil
    case .predicate(let predicate): return truth == isEqual ? predicate : predicate.negated
    case .optionalPredicate(let wrapped, let predicate):
      let predicate = truth == isEqual ? predicate : predicate.negated
      return isEqual ? .and(.isNil(wrapped, false), predicate) : .or(.isNil(wrapped, true), predicate)
    }
  }
}

// MARK: Ranges

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isOrdered(Element.Output.self) else {
      throw OCDConversionError.unordered(Element.Output.self)
    }
    let bounds = try conversion.bounds(of: range)
    let element = try conversion.expression(element)
    switch (bounds.lower, bounds.upper) {
    case (let lower?, let upper?) where bounds.isClosed:
      return .predicate(.comparison(element, .between, NSExpression(forAggregate: [lower, upper])))
    case (let lower?, let upper?):
      return .predicate(.and(.comparison(lower, .lessThanOrEqualTo, element), .comparison(element, .lessThan, upper)))
    case (let lower?, nil): return .predicate(.comparison(lower, .lessThanOrEqualTo, element))
    case (nil, let upper?):
      return .predicate(.comparison(element, bounds.isClosed ? .lessThanOrEqualTo : .lessThan, upper))
    case (nil, nil): throw OCDConversionError.notACollection("contains", of: RangeExpression.Output.self)
    }
  }
}

/// The bounds of a range. `isClosed` says whether the range includes its upper bound.
private struct RangeBounds {
  var lower: NSExpression?
  var upper: NSExpression?
  var isClosed = false
}

extension PredicateConversion {
  fileprivate mutating func bounds<E: PredicateExpression>(of range: E) throws -> RangeBounds {
    if let range = range as? any RangeMakingExpression { return try range.bounds(&self) }
    guard let range = try? range.evaluate(PredicateBindings()), let range = range as? any RangeWithBounds else {
      throw OCDConversionError.notACollection("contains", of: E.Output.self)
    }
    let (lower, upper, isClosed) = range.bounds
    return RangeBounds(
      lower: try lower.map { NSExpression(forConstantValue: try Self.constant($0)) },
      upper: try upper.map { NSExpression(forConstantValue: try Self.constant($0)) }, isClosed: isClosed)
  }
}

private protocol RangeMakingExpression {
  func bounds(_ conversion: inout PredicateConversion) throws -> RangeBounds
}

extension PredicateExpressions.Range: RangeMakingExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> RangeBounds {
    RangeBounds(lower: try conversion.expression(lower), upper: try conversion.expression(upper))
  }
}

extension PredicateExpressions.ClosedRange: RangeMakingExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> RangeBounds {
    RangeBounds(lower: try conversion.expression(lower), upper: try conversion.expression(upper), isClosed: true)
  }
}

private protocol RangeWithBounds {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: RangeWithBounds {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: RangeWithBounds {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: RangeWithBounds {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeUpTo: RangeWithBounds {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: RangeWithBounds {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}
