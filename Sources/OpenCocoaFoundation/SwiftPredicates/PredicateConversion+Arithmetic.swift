import Foundation

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let function =
      switch op {
      case .add: "add:to:"
      case .subtract: "from:subtract:"
      case .multiply: "multiply:by:"
      @unknown default: throw OCDConversionError.operator("\(op)")
      }
    return .expression(try conversion.function(function, lhs, rhs))
  }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.function("divide:by:", lhs, rhs))
  }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.function("divide:by:", lhs, rhs))
  }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.function("modulus:by:", lhs, rhs))
  }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    // `-1` is a minus applied to a constant, and becomes one constant.
    if let value = try? evaluate(PredicateBindings()) {
      return .expression(NSExpression(forConstantValue: try PredicateConversion.constant(value)))
    }
    return .expression(
      NSExpression(forFunction: "multiply:by:", arguments: [try conversion.expression(wrapped), NSNumber(value: -1)]))
  }
}

extension OCDConversionError {
  /// The error of an operator that Foundation has added.
  static func `operator`(_ name: String) -> OCDConversionError {
    OCDConversionError(
      .function, "The operator `\(name)`", "has no counterpart in a store", instead: "Use one of + - * / %.")
  }
}

extension PredicateConversion {
  fileprivate mutating func function<Left: PredicateExpression, Right: PredicateExpression>(
    _ name: String, _ left: Left, _ right: Right
  ) throws -> NSExpression {
    NSExpression(forFunction: name, arguments: [try expression(left), try expression(right)])
  }
}
