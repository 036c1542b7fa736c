import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// The functions of numbers. They give NULL if an argument is NULL.
  static let numbers: [SQLFunction] =
    [
      SQLFunction(.number, argumentCount: 1) { arguments in
        guard case .text(let string) = arguments.value(0) else { return arguments.value(0) }
        return ExactNumber(writtenIn: string).map { SQLValue($0) } ?? .null
      },
      SQLFunction(.text, argumentCount: 1) { arguments in
        exactNumber(arguments.value(0)).map { .text($0.text) } ?? .null
      },
      SQLFunction(.integer, argumentCount: 1) { arguments in
        exactNumber(arguments.value(0)).map { .integer(Arithmetic.integer($0)) } ?? .null
      },
      SQLFunction(.real, argumentCount: 1) { arguments in
        exactNumber(arguments.value(0)).map { .real($0.double) } ?? .null
      },
      SQLFunction(.decimal, argumentCount: 1) { arguments in
        guard case .text(let string) = arguments.value(0) else { return arguments.value(0) }
        return Decimal(string: string).map { SQLValue(.decimal($0)) } ?? .null
      },
    ] + [.plus, .minus, .times, .divided].map(decimal) + ExpressionFunction.allCases.compactMap(ofNumbers)

  // These functions are the predicate evaluator's own, so that SQL and the evaluator give the same results.
  private static func ofNumbers(_ function: ExpressionFunction) -> SQLFunction? {
    guard let name = SQLFunctionName(function), case .ofNumbers = name else { return nil }
    switch function {
    case .random:
      return SQLFunction(name, argumentCount: 0, isDeterministic: false) { _ in .real(Double.random(in: 0..<1)) }
    case _ where function.takes(1):
      return SQLFunction(name, argumentCount: 1, isDeterministic: function.isLasting) { arguments in
        guard let number = exactNumber(arguments.value(0)) else { return .null }
        return try function.value(of: number).map { SQLValue($0) } ?? .null
      }
    default:
      return SQLFunction(name, argumentCount: 2) { arguments in
        guard let left = exactNumber(arguments.value(0)), let right = exactNumber(arguments.value(1)) else {
          return .null
        }
        return try function.value(of: left, right).map { SQLValue($0) } ?? .null
      }
    }
  }

  /// Returns a function for arithmetic on decimal numbers, as exact as the evaluator's. Its arguments: a bit set that tells
  /// which operands are decimal, the left operand, the right operand.
  private static func decimal(_ operation: SQLArithmetic) -> SQLFunction {
    let function = operation.function
    return SQLFunction(.decimalArithmetic(operation), argumentCount: 3) { arguments in
      let decimals = arguments.integer(0)
      guard let left = exactNumber(arguments.value(1), isDecimal: decimals & 1 != 0),
        let right = exactNumber(arguments.value(2), isDecimal: decimals & 2 != 0)
      else { return .null }
      return try function.value(of: left, right).map { SQLValue($0) } ?? .null
    }
  }

  /// Returns a value as a number. If `isDecimal`, a floating-point value stands for the decimal number that its digits show.
  static func exactNumber(_ value: SQLValue, isDecimal: Bool = false) -> ExactNumber? {
    if isDecimal {
      switch value {
      case .integer(let integer): return .decimal(Decimal(integer))
      case .real(let real): return Decimal(string: "\(real)").map(ExactNumber.decimal) ?? .real(real)
      case .notANumber: return .decimal(.nan)
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
