import Foundation

extension PredicateExpressions.Conjunction: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(.and(try conversion.predicate(lhs), try conversion.predicate(rhs)))
  }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(.or(try conversion.predicate(lhs), try conversion.predicate(rhs)))
  }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(try conversion.predicate(wrapped).negated)
  }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(
      .choice(
        try conversion.predicate(test), try conversion.expression(trueBranch), try conversion.expression(falseBranch)))
  }
}

// MARK: Types

extension PredicateExpressions.TypeCheck: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isEvery(Input.Output.self, a: Desired.self) else { throw UnconvertibleExpression() }
    return .expression(NSExpression(forConstantValue: true))
  }
}

extension PredicateExpressions.ConditionalCast: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    // A cast of an Optional to its wrapped type is converted to the Optional itself.
    guard Input.Output.self == Optional<Desired>.self || PredicateConversion.isEvery(Input.Output.self, a: Desired.self)
    else { throw UnconvertibleExpression() }
    return try conversion.convert(input)
  }
}

extension PredicateExpressions.ForceCast: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Input.Output.self == Optional<Desired>.self || PredicateConversion.isEvery(Input.Output.self, a: Desired.self)
    else { throw UnconvertibleExpression() }
    return try conversion.convert(input)
  }
}

extension PredicateConversion {
  /// Whether all values of a type have another type, too. This is decided at conversion, because predicates cannot test the type
  /// of a value.
  fileprivate static func isEvery<Other>(_ type: Any.Type, a other: Other.Type) -> Bool {
    type == other || type is Other.Type
  }
}
