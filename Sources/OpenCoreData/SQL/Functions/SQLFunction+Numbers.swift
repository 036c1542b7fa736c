import CocoaFoundation
import Foundation

extension SQLFunction {
  /// The functions of numbers; NULL as an argument gives NULL.
  static let numbers: [SQLFunction] = [
    SQLFunction(name: number, argumentCount: 1) { arguments in
      guard case .text(let string) = arguments.value(0) else { return arguments.value(0) }
      return numberWritten(in: string).map { SQLValue($0) } ?? .null
    },
    SQLFunction(name: text, argumentCount: 1) { arguments in
      exactNumber(arguments.value(0)).map { .text($0.nsNumber.stringValue) } ?? .null
    },
    SQLFunction(name: "NSCoreDataInteger", argumentCount: 1) { arguments in
      exactNumber(arguments.value(0)).map { .integer(Arithmetic.integer($0)) } ?? .null
    },
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
      return ExpressionFunctions.unary(selector, number).map { SQLValue($0) } ?? .null
    }
  }

  private static func binary(_ selector: String) -> SQLFunction {
    SQLFunction(name: name(of: selector), argumentCount: 2) { arguments in
      guard let left = exactNumber(arguments.value(0)), let right = exactNumber(arguments.value(1)) else {
        return .null
      }
      return ExpressionFunctions.binary(selector, left, right).map { SQLValue($0) } ?? .null
    }
  }

  private static func name(of selector: String) -> String { "NSCoreData_" + selector.filter { $0 != ":" } }

  private static func exactNumber(_ value: SQLValue) -> ExactNumber? {
    switch value {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let string): numberWritten(in: string)
    case .null, .blob: nil
    }
  }

  /// The number that a string writes, as the evaluator of predicates reads it.
  static func numberWritten(in string: String) -> ExactNumber? {
    guard let first = string.utf8.first, first < 0x3A, first > 0x2A else { return nil }  // a digit, a sign or a dot
    return Int64(string).map(ExactNumber.integer) ?? Double(string).map(ExactNumber.real)
  }
}
