import Foundation

extension ExpressionFunction {
  /// Calls the function with the given selector.
  package static func call(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    guard let function = ExpressionFunction(rawValue: selector) else { throw unsupported(selector) }
    return try function.call(arguments)
  }

  /// Calls the function with the values of its arguments. If an argument of an arithmetic function is nil, the result is nil.
  ///
  /// - Throws: `OCDEvaluationError` for arguments of a type that the function does not accept.
  package func call(_ arguments: [Any?]) throws -> Any? {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
      aggregate(of: Self.values(of: arguments))
    case .now: Date()
    case .random: NSNumber(value: Double.random(in: 0..<1))
    case .uppercase: try string(arguments)?.uppercased()
    case .lowercase: try string(arguments)?.lowercased()
    case .canonical: try string(arguments).map { StringFolding.fold($0, case: true, diacritic: true) }
    case .length: try string(arguments).map { NSNumber(value: $0.utf16.count) }
    case .noIndex: arguments[0]
    case .cast: try Casts.cast(arguments[0], to: arguments[1])
    case .element: Self.element(of: arguments[0], at: arguments[1])
    case .distance: try Locations.distance(arguments[0], arguments[1])
    case .add, .subtract, .multiply, .divide, .modulus, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight,
      .onesComplement, .squareRoot, .commonLogarithm, .naturalLogarithm, .power, .exponential, .floor, .ceiling,
      .absolute, .truncation, .randomBelow:
      try arithmetic(arguments)
    }
  }

  // MARK: Aggregates

  /// Returns the values that an aggregate works on: if it has one argument, the elements of that; else its arguments.
  private static func values(of arguments: [Any?]) -> [Any?] {
    guard arguments.count == 1 else { return arguments }
    guard let value = unwrapped(arguments[0]), !isNull(value) else { return [] }
    return elements(of: value) ?? [value]
  }

  /// Returns the value of an aggregate. All aggregates except `count` ignore a nil among the values.
  package func aggregate(of values: [Any?]) -> Any? {
    switch self {
    case .sum: Aggregates.sum(values)
    case .count: NSNumber(value: values.count)
    case .minimum: Aggregates.extreme(values, .orderedAscending)
    case .maximum: Aggregates.extreme(values, .orderedDescending)
    case .average: Aggregates.average(values)
    case .median: Aggregates.median(values)
    case .mode: Aggregates.mode(values)
    default: Aggregates.standardDeviation(values)
    }
  }

  // MARK: Numbers

  private func arithmetic(_ arguments: [Any?]) throws -> Any? {
    var numbers: [ExactNumber] = []
    for argument in arguments {
      switch Operand(argument) {
      case .null: return nil
      case .number(let number): numbers.append(number)
      case .date(let seconds): numbers.append(.real(seconds))
      case let other: throw OCDEvaluationError("\(selector) works on numbers, not on \(other)")
      }
    }
    let result = try numbers.count == 1 ? value(of: numbers[0]) : value(of: numbers[0], numbers[1])
    guard let result else { return nil }
    let dates = arguments.count { $0 is Date || $0 is NSDate }
    // A date plus or minus a number of seconds is a date; the difference of two dates is a number.
    if dates == 1, self == .add || self == .subtract {
      return Date(timeIntervalSinceReferenceDate: result.double)
    }
    return result.nsNumber
  }

  /// The value of a function of two numbers.
  package func value(of left: ExactNumber, _ right: ExactNumber) throws -> ExactNumber? {
    let a = Arithmetic.integer(left)
    let b = Arithmetic.integer(right)
    switch self {
    case .add: return Arithmetic.add(left, right)
    case .subtract: return Arithmetic.subtract(left, right)
    case .multiply: return Arithmetic.multiply(left, right)
    case .divide: return Arithmetic.divide(left, right)
    case .modulus: return Arithmetic.modulus(left, right)
    case .power: return Arithmetic.power(left, right)
    case .bitAnd: return .integer(a & b)
    case .bitOr: return .integer(a | b)
    case .bitXor: return .integer(a ^ b)
    case .shiftLeft: return .integer(a << b)
    case .shiftRight: return .integer(a >> b)
    default: throw Self.unsupported(selector)
    }
  }

  /// The value of a function of one number.
  package func value(of number: ExactNumber) throws -> ExactNumber? {
    let value = number.double
    switch self {
    case .absolute:
      return number.order(to: .integer(0)) == .orderedAscending ? Arithmetic.subtract(.integer(0), number) : number
    case .onesComplement: return .integer(~Arithmetic.integer(number))
    case .randomBelow: return .integer(Int64.random(in: 0..<max(1, Arithmetic.integer(number))))
    case .squareRoot: return .real(value.squareRoot())
    case .commonLogarithm: return .real(log10(value))
    case .naturalLogarithm: return .real(log(value))
    case .exponential: return .real(exp(value))
    case .floor: return .real(value.rounded(.down))
    case .ceiling: return .real(value.rounded(.up))
    case .truncation: return .real(value.rounded(.towardZero))
    default: throw Self.unsupported(selector)
    }
  }

  static func unsupported(_ selector: String) -> OCDEvaluationError {
    OCDEvaluationError("Unable to parse function name '\(selector)' into supported selector (\(selector))")
  }

  // MARK: Strings and collections

  private func string(_ arguments: [Any?]) throws -> String? {
    let operand = Operand(arguments[0])
    if operand.isNull { return nil }
    guard let text = operand.text else { throw OCDEvaluationError("\(selector) works on strings, not on \(operand)") }
    return text
  }

  /// Returns the value of `collection[index]`, where `index` may be a key if the collection is a dictionary; nil if there is
  /// no such element.
  private static func element(of collection: Any?, at index: Any?) -> Any? {
    if let dictionary = collection.flatMap(KeyValueCoding.dictionary), let key = index as? String {
      return dictionary[key]
    }
    guard let elements = elements(of: collection) else { return nil }
    switch index as? IndexSymbol {
    case .first: return elements.first
    case .last: return elements.last
    case .size: return NSNumber(value: elements.count)
    case nil:
      guard case .number(let number) = Operand(index), let position = Int(exactly: Arithmetic.integer(number)),
        elements.indices.contains(position)
      else { return nil }
      return elements[position]
    }
  }
}
