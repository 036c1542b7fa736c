import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// The functions of numbers; NULL as an argument gives NULL.
  static let numbers: [SQLFunction] = [
    SQLFunction(name: number, argumentCount: 1) { arguments in
      guard case .text(let string) = arguments.value(0) else { return arguments.value(0) }
      return ExactNumber(writtenIn: string).map { SQLValue($0) } ?? .null
    },
    SQLFunction(name: text, argumentCount: 1) { arguments in
      exactNumber(arguments.value(0)).map { .text($0.text) } ?? .null
    },
    SQLFunction(name: "NSCoreDataInteger", argumentCount: 1) { arguments in
      exactNumber(arguments.value(0)).map { .integer(Arithmetic.integer($0)) } ?? .null
    },
    SQLFunction(name: "NSCoreDataReal", argumentCount: 1) { arguments in
      exactNumber(arguments.value(0)).map { .real($0.double) } ?? .null
    },
    SQLFunction(name: decimal, argumentCount: 1) { arguments in
      guard case .text(let string) = arguments.value(0) else { return arguments.value(0) }
      return Decimal(string: string).map { SQLValue(.decimal($0)) } ?? .null
    },
    decimal("add:to:"), decimal("from:subtract:"), decimal("multiply:by:"), decimal("divide:by:"),
    unary("abs:"), unary("sqrt:"), unary("log:"), unary("ln:"), unary("exp:"), unary("floor:"), unary("ceiling:"),
    unary("trunc:"), unary("onesComplement:"), unary("randomn:", isDeterministic: false),
    binary("modulus:by:"), binary("raise:toPower:"), binary("bitwiseAnd:with:"), binary("bitwiseOr:with:"),
    binary("bitwiseXor:with:"), binary("leftshift:by:"), binary("rightshift:by:"),
    SQLFunction(name: "NSCoreData_random", argumentCount: 0, isDeterministic: false) { _ in
      .real(Double.random(in: 0..<1))
    },
  ]

  // The functions are the evaluator's own, so that both give the same answer.
  private static func unary(_ selector: String, isDeterministic: Bool = true) -> SQLFunction {
    SQLFunction(name: name(of: selector), argumentCount: 1, isDeterministic: isDeterministic) { arguments in
      guard let number = exactNumber(arguments.value(0)) else { return .null }
      return try ExpressionFunctions.unary(selector, number).map { SQLValue($0) } ?? .null
    }
  }

  private static func binary(_ selector: String) -> SQLFunction {
    SQLFunction(name: name(of: selector), argumentCount: 2) { arguments in
      guard let left = exactNumber(arguments.value(0)), let right = exactNumber(arguments.value(1)) else {
        return .null
      }
      return try ExpressionFunctions.binary(selector, left, right).map { SQLValue($0) } ?? .null
    }
  }

  /// Arithmetic on decimal numbers, exact as the evaluator's: `(which are decimal, left, right)`.
  private static func decimal(_ selector: String) -> SQLFunction {
    SQLFunction(name: decimalName(of: selector), argumentCount: 3) { arguments in
      let decimals = arguments.integer(0)
      guard let left = exactNumber(arguments.value(1), isDecimal: decimals & 1 != 0),
        let right = exactNumber(arguments.value(2), isDecimal: decimals & 2 != 0)
      else { return .null }
      return try ExpressionFunctions.binary(selector, left, right).map { SQLValue($0) } ?? .null
    }
  }

  static func name(of selector: String) -> String { "NSCoreData_" + selector.filter { $0 != ":" } }

  /// The name of the function that does an operation on decimal numbers.
  static func decimalName(of selector: String) -> String { name(of: selector) + "_decimal" }

  /// A value as a number; `isDecimal` where a floating one stands for the decimal number that it writes.
  static func exactNumber(_ value: SQLValue, isDecimal: Bool = false) -> ExactNumber? {
    if isDecimal {
      switch value {
      case .integer(let integer): return .decimal(Decimal(integer))
      case .real(let real): return Decimal(string: "\(real)").map(ExactNumber.decimal) ?? .real(real)
      default: break
      }
    }
    return plainNumber(value)
  }

  private static func plainNumber(_ value: SQLValue) -> ExactNumber? {
    switch value {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let string): ExactNumber(writtenIn: string)
    case .null, .blob: nil
    }
  }
}
