import OpenCocoaFoundation

/// A function that a statement calls, named by its meaning. The dialect knows the database's name for the function, or
/// that there is none.
package enum SQLFunctionName: Hashable, Sendable {
  // MARK: Aggregates over many rows, which leave out missing values

  /// The number of values; the number of rows if there is no argument.
  case count
  /// The sum as a floating-point number; 0 if there are no values.
  case total
  /// The sum of integers in sums of sums.
  case sum
  case average, minimum, maximum
  case aggregate(SQLAggregate)

  // MARK: Missing values

  /// The first argument, or the second if the first is NULL.
  case ifNull
  /// The first argument that is not NULL.
  case coalesce
  /// NULL if both arguments are equal, otherwise the first.
  case nullIf

  // MARK: Data that may be in files

  /// `(column)`: the value's bytes.
  case data
  /// `(column, data)`: whether the value equals the data, as a number; NULL if the value is missing.
  case isData

  // MARK: Strings

  /// `(string, options)`: the folded form, which is the same for all strings that are equal under the options.
  case fold
  /// The number of UTF-16 units.
  case length
  case uppercase, lowercase, canonical
  /// The same functions for a string that is known to be ASCII.
  case uppercaseASCII, lowercaseASCII

  // MARK: Between numbers and strings

  /// The number that a string represents, or NULL if it represents none. A number stays as it is.
  case number
  /// The number as text.
  case text
  /// The decimal number at the start of a string. A number stays as it is.
  case decimal
  /// The number as a floating-point number, or as an integer.
  case real, integer

  // MARK: Numbers

  /// A function of numbers, as the evaluator computes it.
  case ofNumbers(ExpressionFunction)
  /// Exact arithmetic, `(which arguments are decimal, left, right)`. In the first argument, bit 0 stands for the left
  /// operand.
  case decimalArithmetic(SQLArithmetic)
  /// A function of several values, `(which values are decimal, values...)`.
  case ofList(ExpressionFunction)
}

extension SQLFunctionName {
  /// The function for a key that strings, numbers and dates answer in key-value coding, and the kind of its result.
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

  /// The function for an expression's function that is called with the expression's arguments. Nil if the lowering
  /// expresses the function in another way, or not at all.
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
