import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// The functions of several values in braces, such as `sum({a, b})`. Their arguments: a bit set that tells which values are
  /// decimal, and the values. They call the evaluator's own functions, which ignore nil.
  static let ofLists: [SQLFunction] = [
    ExpressionFunction.sum, .average, .minimum, .maximum, .median, .standardDeviation,
  ].map { function in ofList(function) { function.aggregate(of: $0) } }

  private static func ofList(
    _ function: ExpressionFunction, _ body: @escaping @Sendable ([Any?]) -> Any?
  ) -> SQLFunction {
    SQLFunction(.ofList(function), argumentCount: -1) { arguments in
      let decimals = arguments.integer(0)
      let values = (1..<arguments.count).map { index in
        value(arguments.value(index), isDecimal: decimals >> (index - 1) & 1 != 0)
      }
      return stored(body(values))
    }
  }

  /// Returns a value for the predicate evaluator.
  static func value(_ value: SQLValue, isDecimal: Bool) -> Any? {
    switch value {
    case .null: nil
    case .notANumber where isDecimal: NSDecimalNumber.notANumber
    case .text(let text): text
    case .blob(let data): data
    case .integer, .real: exactNumber(value, isDecimal: isDecimal)?.nsNumber
    }
  }

  /// Returns a value of the predicate evaluator as a value of SQLite.
  static func stored(_ value: Any?) -> SQLValue {
    switch Operand(value) {
    case .number(let number): SQLValue(number)
    case .string(let text): .text(text)
    case .data(let data): .blob(data)
    default: .null
    }
  }
}
