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
    if PredicateConversion.isEvery(Input.Output.self, a: Desired.self) {
      return .expression(NSExpression(forConstantValue: true))
    }
    guard let type = Input.Output.self as? any PredicateIdentity.Type,
      let condition = type.condition(that: try conversion.expression(input), isOf: Desired.self)
    else { throw OCDConversionError.cast("is", Input.Output.self, Desired.self) }
    return .predicate(condition)
  }
}

extension PredicateExpressions.ConditionalCast: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    // A cast of an Optional to its wrapped type is converted to the Optional itself.
    guard Input.Output.self == Optional<Desired>.self || PredicateConversion.isEvery(Input.Output.self, a: Desired.self)
    else { throw OCDConversionError.cast("as?", Input.Output.self, Desired.self) }
    return try conversion.convert(input)
  }
}

extension PredicateExpressions.ForceCast: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard Input.Output.self == Optional<Desired>.self || PredicateConversion.isEvery(Input.Output.self, a: Desired.self)
    else { throw OCDConversionError.cast("as!", Input.Output.self, Desired.self) }
    return try conversion.convert(input)
  }
}

extension OCDConversionError {
  /// The error of a test of a type that only the value itself can answer.
  fileprivate static func cast(_ word: String, _ input: Any.Type, _ desired: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .type, "`\(word) \(desired)` of a value of the type \(input)", "cannot be decided by a store",
      instead: "Fetch the objects of the class \(desired), or compare an attribute that tells them apart.")
  }
}

extension PredicateConversion {
  /// Whether all values of a type have another type, too. This is decided at conversion, because predicates cannot test the type
  /// of a value.
  fileprivate static func isEvery<Other>(_ type: Any.Type, a other: Other.Type) -> Bool {
    type == other || type is Other.Type
  }
}
