/// The functions that an expression may name, with their selectors as raw values. The parser, the evaluator, archives, derived
/// attributes and the SQL of stores all use this one table. Each has an exhaustive switch for what it adds.
package enum ExpressionFunction: String, CaseIterable, Sendable {
  // Functions of many values: of a collection, of several arguments, or of rows
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"

  // Operators
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case bitAnd = "bitwiseAnd:with:"
  case bitOr = "bitwiseOr:with:"
  case bitXor = "bitwiseXor:with:"
  case shiftLeft = "leftshift:by:"
  case shiftRight = "rightshift:by:"
  case onesComplement = "onesComplement:"

  // Numbers
  case squareRoot = "sqrt:"
  case commonLogarithm = "log:"
  case naturalLogarithm = "ln:"
  case power = "raise:toPower:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncation = "trunc:"
  case random = "random"
  case randomBelow = "randomn:"

  // Strings
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"

  // Functions of other values
  case now = "now"
  case cast = "castObject:toType:"
  case element = "objectFrom:withIndex:"
  case noIndex = "noindex:"
  case distance = "distanceToLocation:fromLocation:"

  /// The kind of the arguments or of the result of a function.
  package enum Kind: Sendable { case numbers, strings, date, anything }

  package var selector: String { rawValue }

  /// The kind of the arguments. Where it is `numbers`, an argument may be a date as well.
  package var argumentKind: Kind {
    switch self {
    case .sum, .average, .median, .standardDeviation: .numbers
    case .add, .subtract, .multiply, .divide, .modulus, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight,
      .onesComplement:
      .numbers
    case .squareRoot, .commonLogarithm, .naturalLogarithm, .power, .exponential, .floor, .ceiling, .absolute,
      .truncation, .random, .randomBelow:
      .numbers
    case .uppercase, .lowercase, .canonical, .length: .strings
    case .count, .minimum, .maximum, .mode, .now, .cast, .element, .noIndex, .distance: .anything
    }
  }

  /// The kind of the result.
  package var resultKind: Kind {
    switch self {
    case .uppercase, .lowercase, .canonical: .strings
    case .now: .date
    case .minimum, .maximum, .mode, .cast, .element, .noIndex: .anything
    case .count, .length, .distance: .numbers
    default: argumentKind
    }
  }

  /// Whether the function takes any number of values, as in sum(1, 2) and sum({1, 2}).
  package var isAggregate: Bool {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// Whether the function always returns equal results for equal arguments.
  package var isLasting: Bool { self != .random && self != .randomBelow && self != .now }

  /// Whether the function accepts `count` arguments. An aggregate accepts one or more; any other function accepts as many as its
  /// selector has colons.
  package func takes(_ count: Int) -> Bool {
    isAggregate ? count > 0 : selector.utf8.count { $0 == UInt8(ascii: ":") } == count
  }

  // MARK: By name

  private static let byName: [String: [ExpressionFunction]] =
    Dictionary(grouping: allCases) { String($0.selector.prefix { $0 != ":" }).lowercased() }

  /// Finds the function that a format calls as `sum(x)`, `sum:(x)` or `add:to:(x, y)`; nil if there is none.
  package init?(named name: String, argumentCount: Int) {
    let candidates =
      name.contains(":") ? ExpressionFunction(rawValue: name).map { [$0] } ?? [] : Self.byName[name.lowercased()] ?? []
    guard let function = candidates.first(where: { $0.takes(argumentCount) }) else { return nil }
    self = function
  }
}
