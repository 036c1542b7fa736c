import Foundation

extension ExpressionFunctions {
  /// Calls a function with the values of its arguments; nil as an argument of arithmetic gives nil.
  ///
  /// - Throws: `OCDEvaluationError` for arguments that the function does not work on.
  package static func call(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    if aggregates.contains(selector) { return aggregate(selector, values(of: arguments)) }
    switch selector {
    case "now": return Date()
    case "random": return NSNumber(value: Double.random(in: 0..<1))
    case "uppercase:": return try string(arguments, selector)?.uppercased()
    case "lowercase:": return try string(arguments, selector)?.lowercased()
    case "canonical:":
      return try string(arguments, selector).map { StringFolding.fold($0, case: true, diacritic: true) }
    case "length:": return try string(arguments, selector).map { NSNumber(value: $0.utf16.count) }
    case "noindex:": return arguments[0]
    case "castObject:toType:": return try Casts.cast(arguments[0], to: arguments[1])
    case "objectFrom:withIndex:": return element(of: arguments[0], at: arguments[1])
    case "distanceToLocation:fromLocation:": return try Locations.distance(arguments[0], arguments[1])
    default: return try arithmetic(selector, arguments)
    }
  }

  // MARK: Aggregates

  /// The values that an aggregate works on: the elements of its one argument, or its arguments.
  private static func values(of arguments: [Any?]) -> [Any?] {
    guard arguments.count == 1 else { return arguments }
    guard let value = unwrapped(arguments[0]), !isNull(value) else { return [] }
    return elements(of: value) ?? [value]
  }

  private static func aggregate(_ selector: String, _ values: [Any?]) -> Any? {
    switch selector {
    case "sum:": return Aggregates.sum(values)
    case "count:": return NSNumber(value: values.count)
    case "min:": return Aggregates.extreme(values, .orderedAscending)
    case "max:": return Aggregates.extreme(values, .orderedDescending)
    case "average:": return Aggregates.average(values)
    case "median:": return Aggregates.median(values)
    case "mode:": return Aggregates.mode(values)
    default: return Aggregates.standardDeviation(values)
    }
  }

  // MARK: Numbers

  private static func arithmetic(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    var numbers: [ExactNumber] = []
    for argument in arguments {
      switch Operand(argument) {
      case .null: return nil
      case .number(let number): numbers.append(number)
      case .date(let seconds): numbers.append(.real(seconds))
      case let other: throw OCDEvaluationError("\(selector) works on numbers, not on \(other)")
      }
    }
    let result = try numbers.count == 1 ? unary(selector, numbers[0]) : binary(selector, numbers[0], numbers[1])
    guard let result else { return nil }
    let dates = arguments.count { $0 is Date || $0 is NSDate }
    // A date moved by a number of seconds is a date; the distance of two dates is a number.
    if dates == 1, selector == "add:to:" || selector == "from:subtract:" {
      return Date(timeIntervalSinceReferenceDate: result.double)
    }
    return result.nsNumber
  }

  /// The value of a function of two numbers.
  package static func binary(_ selector: String, _ left: ExactNumber, _ right: ExactNumber) throws -> ExactNumber? {
    let a = Arithmetic.integer(left)
    let b = Arithmetic.integer(right)
    switch selector {
    case "add:to:": return Arithmetic.add(left, right)
    case "from:subtract:": return Arithmetic.subtract(left, right)
    case "multiply:by:": return Arithmetic.multiply(left, right)
    case "divide:by:": return Arithmetic.divide(left, right)
    case "modulus:by:": return Arithmetic.modulus(left, right)
    case "raise:toPower:": return Arithmetic.power(left, right)
    case "bitwiseAnd:with:": return .integer(a & b)
    case "bitwiseOr:with:": return .integer(a | b)
    case "bitwiseXor:with:": return .integer(a ^ b)
    case "leftshift:by:": return .integer(a << b)
    case "rightshift:by:": return .integer(a >> b)
    default: throw unsupported(selector)
    }
  }

  /// The value of a function of one number.
  package static func unary(_ selector: String, _ number: ExactNumber) throws -> ExactNumber? {
    switch selector {
    case "abs:":
      return number.order(to: .integer(0)) == .orderedAscending ? Arithmetic.subtract(.integer(0), number) : number
    case "onesComplement:": return .integer(~Arithmetic.integer(number))
    case "randomn:": return .integer(Int64.random(in: 0..<max(1, Arithmetic.integer(number))))
    default: break
    }
    let value = number.double
    switch selector {
    case "sqrt:": return .real(value.squareRoot())
    case "log:": return .real(log10(value))
    case "ln:": return .real(log(value))
    case "exp:": return .real(exp(value))
    case "floor:": return .real(value.rounded(.down))
    case "ceiling:": return .real(value.rounded(.up))
    case "trunc:": return .real(value.rounded(.towardZero))
    default: throw unsupported(selector)
    }
  }

  static func unsupported(_ selector: String) -> OCDEvaluationError {
    OCDEvaluationError("Unable to parse function name '\(selector)' into supported selector (\(selector))")
  }

  // MARK: Strings and collections

  private static func string(_ arguments: [Any?], _ selector: String) throws -> String? {
    let operand = Operand(arguments[0])
    if operand.isNull { return nil }
    guard let text = operand.text else { throw OCDEvaluationError("\(selector) works on strings, not on \(operand)") }
    return text
  }

  /// `collection[index]`, also for a key of a dictionary; nil beyond the ends.
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
