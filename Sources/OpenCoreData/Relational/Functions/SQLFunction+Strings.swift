import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

extension SQLFunction {
  /// The functions of strings; NULL as an argument gives NULL.
  static let strings: [SQLFunction] = [
    SQLFunction(name: stringSearch, argumentCount: 4) { arguments in
      guard let string = arguments.text(0), let pattern = arguments.text(1),
        let test = SQLStringTest(rawValue: Int(arguments.integer(3)))
      else { return .null }
      let options = SQLStringOptions(rawValue: Int(arguments.integer(2)))
      return .integer(try SQLStringSearch.holds(test, string, pattern, options) ? 1 : 0)
    },
    SQLFunction(name: stringCompare, argumentCount: 3) { arguments in
      guard let first = arguments.text(0), let second = arguments.text(1) else { return .null }
      let options = SQLStringOptions(rawValue: Int(arguments.integer(2)))
      return .integer(Int64(SQLStringOrder.order(first, second, options).rawValue))
    },
    SQLFunction(name: fold, argumentCount: 2) { arguments in
      let options = SQLStringOptions(rawValue: Int(arguments.integer(1)))
      return arguments.string(0).map { .text(StringFolding.fold($0, options.comparisonOptions)) } ?? .null
    },
    map("NSCoreDataUppercase") { .text($0.uppercased()) },
    map("NSCoreDataLowercase") { .text($0.lowercased()) },
    map("NSCoreDataCanonical") { .text(canonical($0)) },
    map("NSCoreDataLength") { .integer(Int64($0.utf16.count)) },
  ]

  /// The form of a string that does not tell cases and diacritics apart.
  static func canonical(_ string: String) -> String { StringFolding.fold(string, case: true, diacritic: true) }

  private static func map(_ name: String, _ body: @escaping @Sendable (String) -> SQLValue) -> SQLFunction {
    SQLFunction(name: name, argumentCount: 1) { arguments in arguments.string(0).map(body) ?? .null }
  }
}

extension SQLStringOptions {
  /// The same options for the evaluator.
  var comparisonOptions: NSComparisonPredicate.Options {
    NSComparisonPredicate.Options(rawValue: UInt(rawValue)).subtracting(.init(rawValue: UInt(Self.folded.rawValue)))
  }
}
