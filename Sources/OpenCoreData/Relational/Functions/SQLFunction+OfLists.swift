import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// The functions of several values in braces, such as `sum({a, b})`: `(which are decimal, values...)`. They are the
  /// evaluator's own, which leaves nil out.
  static let ofLists: [SQLFunction] = [
    ofList("sum:") { Aggregates.sum($0) },
    ofList("average:") { Aggregates.average($0) },
    ofList("min:") { Aggregates.extreme($0, .orderedAscending) },
    ofList("max:") { Aggregates.extreme($0, .orderedDescending) },
    ofList("median:") { Aggregates.median($0) },
    ofList("stddev:") { Aggregates.standardDeviation($0) },
  ]

  /// How many values SQLite takes, beside the first argument; as many as an integer has bits would fit as well.
  static let maximumListCount = 60

  static func listName(of selector: String) -> String { name(of: selector) + "_list" }

  private static func ofList(_ selector: String, _ body: @escaping @Sendable ([Any?]) -> Any?) -> SQLFunction {
    SQLFunction(name: listName(of: selector), argumentCount: -1) { arguments in
      let decimals = arguments.integer(0)
      let values = (1..<arguments.count).map { index in
        value(arguments.value(index), isDecimal: decimals >> (index - 1) & 1 != 0)
      }
      return stored(body(values))
    }
  }

  /// A value for the evaluator.
  static func value(_ value: SQLValue, isDecimal: Bool) -> Any? {
    switch value {
    case .null: nil
    case .text(let text): text
    case .blob(let data): data
    case .integer, .real: exactNumber(value, isDecimal: isDecimal)?.nsNumber
    }
  }

  /// A value of the predicate evaluator as a value of SQLite's.
  static func stored(_ value: Any?) -> SQLValue {
    switch Operand(value) {
    case .number(let number): SQLValue(number)
    case .string(let text): .text(text)
    case .data(let data): .blob(data)
    default: .null
    }
  }
}
