import Foundation

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let wrapped = try conversion.expression(self.wrapped)
    conversion.variables[variable.key] = wrapped
    let converted = try conversion.convert(transform)
    if isToMany(LHS.Output.self) { return converted }
    if case .predicate(let predicate) = converted { return .optionalPredicate(wrapped: wrapped, predicate) }
    // The value of a key path from nil is nil, so no condition is needed.
    if let transform = transform as? any NilPropagatingExpression, transform.isNil(where: variable.key) {
      return converted
    }
    let isNotNil = NSPredicate.isNil(wrapped, false)
    return .expression(.choice(isNotNil, converted.expression, NSExpression(forConstantValue: nil)))
  }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    try conversion.convert(inner)
  }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let optional = try conversion.convert(lhs)
    if (lhs as? any OptionalMembersExpression)?.isNeverNil == true { return optional }
    let other = try conversion.convert(rhs)
    // `$0.name?.contains("x") ?? false` becomes a condition, which a store can select by better than by a computed value.
    if case .optionalPredicate(let wrapped, let predicate) = optional, case .expression(let other) = other,
      let truth = other.truth
    {
      return .predicate(truth ? .or(.isNil(wrapped, true), predicate) : .and(.isNil(wrapped, false), predicate))
    }
    return .expression(optional.expression.coalesced(with: other.expression))
  }
}

/// An expression that asks an optional relationship, which has a value always.
private protocol OptionalMembersExpression {
  var isNeverNil: Bool { get }
}

extension PredicateExpressions.OptionalFlatMap: OptionalMembersExpression {
  var isNeverNil: Bool { isToMany(LHS.Output.self) && !(RHS.Output.self is any NestedOptional.Type) }
}

extension NSExpression {
  /// The value of a constant as a Boolean; nil if the expression is no constant number.
  var truth: Bool? {
    guard case .constant(let value) = node else { return nil }
    return (value as? NSNumber)?.boolValue
  }
}

/// An expression whose value may be nil if a variable is nil.
private protocol NilPropagatingExpression {
  func isNil(where variable: PredicateExpressions.VariableID) -> Bool
}

extension PredicateExpressions.Variable: NilPropagatingExpression {
  func isNil(where variable: PredicateExpressions.VariableID) -> Bool { key == variable }
}

extension PredicateExpressions.KeyPath: NilPropagatingExpression {
  func isNil(where variable: PredicateExpressions.VariableID) -> Bool {
    (root as? any NilPropagatingExpression)?.isNil(where: variable) ?? false
  }
}

extension PredicateExpressions.ForcedUnwrap: NilPropagatingExpression {
  func isNil(where variable: PredicateExpressions.VariableID) -> Bool {
    (inner as? any NilPropagatingExpression)?.isNil(where: variable) ?? false
  }
}

extension PredicateExpressions.OptionalFlatMap: NilPropagatingExpression {
  func isNil(where variable: PredicateExpressions.VariableID) -> Bool {
    (wrapped as? any NilPropagatingExpression)?.isNil(where: variable) ?? false
  }
}
