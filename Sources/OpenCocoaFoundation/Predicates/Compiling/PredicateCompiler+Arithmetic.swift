import Foundation

// Numbers that functions of the language compute.
extension PredicateCompiler {
  /// Returns what reads or computes a number. A date counts as its seconds, which comparisons with a number or a date cannot tell
  /// apart.
  ///
  /// - Returns: nil if a part may be something other than an integer, a floating-point number, a date or nil.
  func arithmetic(_ expression: NSExpression) -> NumberTest.Read? {
    guard type(of: expression) == NSExpression.self, expression.depth <= Self.maximumLevels else { return nil }
    switch expression.node {
    case .constant(let value): return Self.constant(Operand(value)).map { number in { _ in number } }
    case .keyPath: return reader(expression).flatMap { Side.property($0).number?.read }
    case .function(let name, nil, let arguments):
      guard let function = ExpressionFunction(rawValue: name) else { return nil }
      let parts = arguments.compactMap(arithmetic)
      guard parts.count == arguments.count else { return nil }
      guard let read = Self.computed(function, parts) else { return nil }
      guard Self.isConstant(expression) else { return read }
      let number = read(object)
      return { _ in number }
    default: return nil
    }
  }

  private static func isConstant(_ expression: NSExpression) -> Bool {
    switch expression.node {
    case .constant: true
    case .function(_, nil, let arguments): arguments.allSatisfy(isConstant)
    default: false
    }
  }

  private static func constant(_ operand: Operand) -> PlacedNumber? {
    switch operand {
    case .null: .null
    case .number(.integer(let value)): .integer(value)
    case .number(.real(let value)), .date(let value): .real(value)
    default: nil
    }
  }

  private static func computed(_ function: ExpressionFunction, _ parts: [NumberTest.Read]) -> NumberTest.Read? {
    switch (function, parts.count) {
    case (.add, 2):
      binary(function, parts) {
        $0.addingReportingOverflow($1)
      } _: {
        $0 + $1
      }
    case (.subtract, 2):
      binary(function, parts) {
        $0.subtractingReportingOverflow($1)
      } _: {
        $0 - $1
      }
    case (.multiply, 2):
      binary(function, parts) {
        $0.multipliedReportingOverflow(by: $1)
      } _: {
        $0 * $1
      }
    case (.divide, 2), (.modulus, 2), (.power, 2), (.bitAnd, 2), (.bitOr, 2), (.bitXor, 2), (.shiftLeft, 2),
      (.shiftRight, 2):
      binary(function, parts)
    case (.absolute, 1), (.onesComplement, 1), (.squareRoot, 1), (.commonLogarithm, 1), (.naturalLogarithm, 1),
      (.exponential, 1), (.floor, 1), (.ceiling, 1), (.truncation, 1):
      unary(function, parts[0])
    default: nil
    }
  }

  private static func unary(_ function: ExpressionFunction, _ part: @escaping NumberTest.Read) -> NumberTest.Read {
    { object in
      let number = part(object)
      guard let exact = number.exact else { return number }
      return result { try function.value(of: exact) }
    }
  }

  /// A function of two numbers: nil if one of them is nil.
  private static func binary(_ function: ExpressionFunction, _ parts: [NumberTest.Read]) -> NumberTest.Read {
    let (first, second) = (parts[0], parts[1])
    return { object in general(function, first(object), second(object)) }
  }

  /// A function that has a quick way for two integers without overflow, and for two floating-point numbers.
  @inline(__always)
  private static func binary(
    _ function: ExpressionFunction, _ parts: [NumberTest.Read],
    _ integers: @escaping (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: @escaping (Double, Double) -> Double
  ) -> NumberTest.Read {
    let (first, second) = (parts[0], parts[1])
    return { object in
      let (left, right) = (first(object), second(object))
      switch (left, right) {
      case (.integer(let a), .integer(let b)):
        let (value, overflow) = integers(a, b)
        return overflow ? general(function, left, right) : .integer(value)
      case (.real(let a), .real(let b)): return .real(reals(a, b))
      default: return general(function, left, right)
      }
    }
  }

  private static func general(
    _ function: ExpressionFunction, _ left: PlacedNumber, _ right: PlacedNumber
  ) -> PlacedNumber {
    switch (left, right) {
    case (.refused, _), (_, .refused): return .refused
    default:
      guard let left = left.exact, let right = right.exact else { return .null }
      return result { try function.value(of: left, right) }
    }
  }

  private static func result(_ compute: () throws -> ExactNumber?) -> PlacedNumber {
    guard let number = try? compute() else { return .null }
    switch number {
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .decimal: return .refused
    }
  }
}
