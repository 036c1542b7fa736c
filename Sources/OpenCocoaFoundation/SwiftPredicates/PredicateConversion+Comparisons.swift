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
    guard PredicateConversion.isOrdered(LHS.Output.self) else { throw UnconvertibleExpression() }
    let type: NSComparisonPredicate.Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      @unknown default: throw UnconvertibleExpression()
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
    let left = try convert(left)
    let right = try convert(right)
    if case .optionalPredicate(let wrapped, let predicate) = left, let truth = right.expression.truth {
      let predicate = truth == isEqual ? predicate : predicate.negated
      return isEqual ? .and(.isNil(wrapped, false), predicate) : .or(.isNil(wrapped, true), predicate)
    }
    return .comparison(left.expression, isEqual ? .equalTo : .notEqualTo, right.expression)
  }
}

// MARK: Ranges

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isOrdered(Element.Output.self) else { throw UnconvertibleExpression() }
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
    case (nil, nil): throw UnconvertibleExpression()
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
      throw UnconvertibleExpression()
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
