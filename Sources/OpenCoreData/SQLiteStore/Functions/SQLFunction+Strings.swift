import Foundation
import OpenCocoaFoundation

extension SQLFunction {
  /// The functions of strings. They give NULL if an argument is NULL.
  static let strings: [SQLFunction] = [
    SQLFunction(name: SQLiteDialect.stringCompare, argumentCount: 3) { arguments in
      guard let first = arguments.text(0), let second = arguments.text(1) else { return .null }
      let options = SQLStringOptions(rawValue: Int(arguments.integer(2)))
      return .integer(Int64(SQLStringOrder.order(first, second, options).rawValue))
    },
    SQLFunction(.fold, argumentCount: 2) { arguments in
      let options = SQLStringOptions(rawValue: Int(arguments.integer(1)))
      return arguments.string(0).map { .text(StringFolding.fold($0, options.comparisonOptions)) } ?? .null
    },
    map(.uppercase) { .text($0.uppercased()) },
    map(.lowercase) { .text($0.lowercased()) },
    map(.canonical) { .text(StringFolding.fold($0, case: true, diacritic: true)) },
    map(.length) { .integer(Int64($0.utf16.count)) },
  ]

  private static func map(
    _ function: SQLFunctionName, _ body: @escaping @Sendable (String) -> SQLValue
  ) -> SQLFunction {
    SQLFunction(function, argumentCount: 1) { arguments in arguments.string(0).map(body) ?? .null }
  }
}
