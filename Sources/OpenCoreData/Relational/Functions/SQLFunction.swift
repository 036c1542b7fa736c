import Foundation
import OpenCocoaFoundation

/// A function that the SQL of predicates calls and that SQLite does not have.
struct SQLFunction: Sendable {
  let name: String
  let argumentCount: Int
  /// Whether equal arguments always give an equal result.
  var isDeterministic = true
  let body: @Sendable (SQLFunctionArguments) throws -> SQLValue

  /// `(string, pattern, options, test)`: whether the string passes the test, NULL if either is NULL.
  static let stringSearch = "NSCoreDataStringSearch"
  /// `(string, pattern)`: whether the string matches the pattern of LIKE, as it is.
  static let like = "NSCoreDataLike"
  /// `(first, second, options)`: less than, equal to or greater than 0, NULL if either is NULL.
  static let stringCompare = "NSCoreDataStringCompare"
  /// `(string, options)`: the form of the string that is the same for all that are equal under the options.
  static let fold = "NSCoreDataFold"
  /// `(string)`: the number that the string writes, or NULL.
  static let number = "NSCoreDataNumber"
  /// `(number)`: the number as text.
  static let text = "NSCoreDataText"

  /// `(value)`: the decimal number that a text begins with, or the number itself.
  static let decimal = "NSCoreDataDecimal"
  /// `(integer)`: the floating number with these bits.
  static let realOfBits = "NSCoreDataRealOfBits"
  /// `(digits)`: the bytes that hexadecimal digits write, as data.
  static let bytesOfHex = "NSCoreDataBytesOfHex"
  /// `(digits)`: the bytes that hexadecimal digits write, as text.
  static let textOfHex = "NSCoreDataTextOfHex"

  /// All functions, for each connection to register.
  static let all: [SQLFunction] = strings + numbers + lists + ofLists

  /// The SQL function for a key that strings, numbers and dates answer by key-value coding, and the kind of its result.
  static func property(_ key: String, of kind: SQLKind) -> (name: String, kind: SQLKind)? {
    switch (kind, key) {
    case (.string, "length"), (.uri, "length"): ("NSCoreDataLength", .number)
    case (.string, "uppercaseString"), (.uri, "uppercaseString"): ("NSCoreDataUppercase", .string)
    case (.string, "lowercaseString"), (.uri, "lowercaseString"): ("NSCoreDataLowercase", .string)
    case (.number, "doubleValue"), (.decimal, "doubleValue"), (.date, "timeIntervalSinceReferenceDate"):
      ("NSCoreDataReal", .number)
    case (.number, "integerValue"), (.number, "longValue"), (.number, "longLongValue"): ("NSCoreDataInteger", .number)
    default: nil
    }
  }

  /// The function for the selector of an expression: its name and the kind of its value.
  static func named(_ selector: String) -> (name: String, kind: SQLKind)? {
    switch selector {
    case "uppercase:": ("NSCoreDataUppercase", .string)
    case "lowercase:": ("NSCoreDataLowercase", .string)
    case "canonical:": ("NSCoreDataCanonical", .string)
    case "length:": ("NSCoreDataLength", .number)
    case "abs:", "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "trunc:", "onesComplement:",
      "modulus:by:", "raise:toPower:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
      "rightshift:by:", "randomn:", "random":
      (name(of: selector), .number)
    default: nil
    }
  }
}
