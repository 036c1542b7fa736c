import OpenCocoaFoundation

/// A function of statements, by its meaning. The dialect knows its name in the database, or that there is none.
package enum SQLFunctionName: Hashable, Sendable {
  // MARK: Of the values of many rows, those that are missing left out

  /// The number of values, or of rows where no value is given.
  case count
  /// The sum as a floating number; 0 of none.
  case total
  /// The sum of integers in sums of sums.
  case sum
  case average, minimum, maximum
  case aggregate(SQLAggregate)

  // MARK: For what is missing

  /// The first argument, or the second where that is NULL.
  case ifNull
  /// The first argument that is not NULL.
  case coalesce
  /// NULL if both arguments are equal, otherwise the first argument.
  case nullIf

  // MARK: Data that may be in files

  /// `(column)`: the value's bytes.
  case data
  /// `(column, data)`: whether the value is the data, as a number; NULL if it is missing.
  case isData

  // MARK: Strings

  /// `(string, options)`: the form that is the same for all strings that are equal under the options.
  case fold
  /// The number of UTF-16 units.
  case length
  case uppercase, lowercase, canonical
  /// The same of a string that is known to be ASCII.
  case uppercaseASCII, lowercaseASCII

  // MARK: Between numbers and strings

  /// The number that a string writes, or NULL; a number itself.
  case number
  /// The number as text.
  case text
  /// The decimal number that a string begins with, or the number itself.
  case decimal
  /// Converts a number to a floating-point number, or to an integer.
  case real, integer

  // MARK: Numbers

  /// A function of numbers, as the evaluator computes it.
  case ofNumbers(ExpressionFunction)
  /// Exact arithmetic, `(which arguments are decimal, left, right)`: bit 0 of the first argument stands for the left one.
  case decimalArithmetic(SQLArithmetic)
  /// A function of several values, `(which are decimal, values...)`.
  case ofList(ExpressionFunction)
}

extension SQLFunctionName {
  /// The function for a key that strings, numbers and dates answer by key-value coding, and the kind of its result.
  package static func property(_ key: String, of kind: SQLKind) -> (name: SQLFunctionName, kind: SQLKind)? {
    switch (kind, key) {
    case (.string, "length"), (.uri, "length"): (.length, .number)
    case (.string, "uppercaseString"), (.uri, "uppercaseString"): (.uppercase, .string)
    case (.string, "lowercaseString"), (.uri, "lowercaseString"): (.lowercase, .string)
    case (.number, "doubleValue"), (.decimal, "doubleValue"), (.date, "timeIntervalSinceReferenceDate"):
      (.real, .number)
    case (.number, "integerValue"), (.number, "longValue"), (.number, "longLongValue"): (.integer, .number)
    default: nil
    }
  }

  /// The function for that of an expression which is called with its arguments; nil where the lowering has another way to
  /// say it, or none.
  package init?(_ function: ExpressionFunction) {
    switch function {
    case .uppercase: self = .uppercase
    case .lowercase: self = .lowercase
    case .canonical: self = .canonical
    case .length: self = .length
    case .add, .subtract, .multiply, .divide: return nil
    case .modulus, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .onesComplement, .squareRoot, .commonLogarithm,
      .naturalLogarithm, .power, .exponential, .floor, .ceiling, .absolute, .truncation, .random, .randomBelow:
      self = .ofNumbers(function)
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: return nil
    case .now, .cast, .element, .noIndex, .distance: return nil
    }
  }
}
