import Foundation
import OpenCocoaFoundation

extension PostgreSQLDialect {
  /// The names of functions with the usual syntax of a call; `write(_:_:to:)` handles those with another syntax.
  package func name(of function: SQLFunctionName) -> String? {
    switch function {
    case .count: "COUNT"
    case .sum: "SUM"
    case .average, .aggregate(.average): "AVG"
    case .minimum: "MIN"
    case .maximum: "MAX"
    case .aggregate(.standardDeviation): "stddev_pop"
    case .ifNull: "COALESCE"
    case .nullIf: "NULLIF"
    case .ofNumbers(.absolute): "abs"
    case .ofNumbers(.random): "random"
    default: nil
    }
  }

  /// Writes a call that has a syntax of its own in this dialect. Returns false, and writes nothing, if the call has the
  /// usual syntax or if there is no such function.
  package func write(_ function: SQLFunctionName, _ arguments: [SQLExpression], to printer: inout SQLPrinter) -> Bool {
    switch (function, arguments.count) {
    // The sum of no values is 0, for decimals, too.
    case (.total, 1), (.aggregate(.sum), 1): printer.say("COALESCE(SUM(\(arguments[0])), 0)")
    case (.aggregate(.median), 1):
      // An ordered-set aggregate takes no DISTINCT.
      if case .distinct = arguments[0] {
        return write(medianOf: arguments[0], to: &printer)
      }
      printer.say("percentile_cont(0.5) WITHIN GROUP (ORDER BY \(arguments[0]))")
    // This database never keeps data in files.
    case (.data, 1): printer.operand(arguments[0])
    case (.isData, 2): printer.say("(\(arguments[0]) = \(arguments[1]))::integer")
    case (.length, 1):
      // The length counts UTF-16 units: a character above U+FFFF counts twice.
      printer.say(
        "(char_length(\(arguments[0])) + char_length(regexp_replace(\(arguments[0]), '[^\\U00010000-\\U0010FFFF]', '', 'g')))"
      )
    case (.number, 1), (.decimal, 1): write(numberIn: arguments[0], isDecimal: function == .decimal, to: &printer)
    // COALESCE only tests whether any of several columns has a value. The columns may be of different types.
    case (.coalesce, _):
      printer.write("COALESCE(")
      for (index, argument) in arguments.enumerated() {
        if index > 0 { printer.write(", ") }
        printer.say("(\(argument))::text")
      }
      printer.write(")")
    case (.text, 1): printer.say("((\(arguments[0]))::text COLLATE \"C\")")
    case (.uppercaseASCII, 1): printer.say("upper(\(arguments[0]) COLLATE \"C\")")
    case (.lowercaseASCII, 1): printer.say("lower(\(arguments[0]) COLLATE \"C\")")
    case (.uppercase, 1), (.lowercase, 1), (.canonical, 1), (.fold, 2):
      writeResult(of: .function(function, arguments), to: &printer)
    case (.real, 1): printer.say("(\(arguments[0]))::double precision")
    case (.integer, 1): printer.say("trunc((\(arguments[0]))::numeric)::bigint")
    case (.ofNumbers(let function), _): return write(function, arguments, to: &printer)
    case (.decimalArithmetic(let operation), 3):
      write(operation, arguments[1], arguments[2], isDecimal: true, to: &printer)
    case (.ofList(let function), 2...): write(listFunction: function, Array(arguments.dropFirst()), to: &printer)
    default: return false
    }
    return true
  }

  /// Writes the number that a string represents, or, for a decimal, the number that the string begins with, as
  /// Foundation reads them. A decimal may follow white space. A string that begins like a decimal but has no digits
  /// gives 0.
  private func write(numberIn string: SQLExpression, isDecimal: Bool, to printer: inout SQLPrinter) {
    let text = SQLExpression.function(.text, [string])
    let digits = "(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)"
    if isDecimal {
      let start = "'^\\s*[-+]?\(digits)(?:[eE][-+]?[0-9]{1,3}(?![0-9]))?'"
      printer.say("(CASE WHEN \(text) ~ \(word: start) THEN substring(\(text) FROM \(word: start))::numeric")
      printer.say(" WHEN \(text) ~ '^[-+.eE\\s]' THEN 0 END)")
    } else {
      let whole = "'^[-+]?\(digits)(?:[eE][-+]?[0-9]{1,3})?$'"
      printer.say("(CASE WHEN \(text) ~ \(word: whole) THEN \(text)::numeric END)")
    }
  }

  private func write(medianOf distinct: SQLExpression, to printer: inout SQLPrinter) -> Bool {
    printer.say("(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM unnest(array_agg(\(distinct))) AS v)")
    return true
  }

  /// Writes an operator of numbers. The result of a division by 0 is NULL.
  package func write(
    _ operation: SQLArithmetic, _ left: SQLExpression, _ right: SQLExpression, isDecimal: Bool,
    to printer: inout SQLPrinter
  ) {
    let type = isDecimal ? ")::numeric" : ")"
    switch operation {
    case .plus, .minus, .times:
      printer.say("((\(left)\(word: type) \(word: operation.rawValue) (\(right)\(word: type))")
    case .divided: printer.say("((\(left)\(word: type) / NULLIF((\(right)\(word: type), 0))")
    case .modulus: printer.say("mod((\(left))::numeric, NULLIF((\(right))::numeric, 0))")
    case .bitAnd, .bitOr: printer.say("((\(left))::bigint \(word: operation.rawValue) (\(right))::bigint)")
    case .shiftLeft: shift(left, "<<", right, by: ">>", tooFar: false, to: &printer)
    case .shiftRight: shift(left, ">>", right, by: "<<", tooFar: true, to: &printer)
    }
  }

  /// Writes a shift of the bits of an integer. A negative count shifts in the other direction. A count of 64 or more
  /// shifts all bits out of the word, whereas the server would take the count modulo 64.
  /// - Parameter tooFar: whether a count of 64 or more leaves only the sign, and -64 or less gives 0; otherwise the
  ///   reverse.
  private func shift(
    _ value: SQLExpression, _ operation: String, _ count: SQLExpression, by other: String, tooFar leavesSign: Bool,
    to printer: inout SQLPrinter
  ) {
    let sign = SQLExpression.choice(
      condition: .compare(.less, value, .integer(0)), then: .integer(-1), otherwise: .integer(0))
    printer.say("(CASE WHEN \(value) IS NULL OR \(count) IS NULL THEN NULL")
    printer.say(
      " WHEN \(count) BETWEEN 0 AND 63 THEN (\(value))::bigint \(word: operation) (\(count))::integer")
    printer.say(
      " WHEN \(count) BETWEEN -63 AND -1 THEN (\(value))::bigint \(word: other) (-(\(count))::integer)")
    printer.say(" WHEN \(count) > 0 THEN \(leavesSign ? sign : .integer(0))")
    printer.say(" ELSE \(leavesSign ? .integer(0) : sign) END)")
  }

  private func write(
    _ function: ExpressionFunction, _ arguments: [SQLExpression], to printer: inout SQLPrinter
  ) -> Bool {
    guard let first = arguments.first else { return false }
    let second = arguments.dropFirst().first ?? first
    func call(_ name: String) { printer.say("\(word: name)((\(first))::double precision)") }
    func guarded(_ name: String, _ condition: String) {
      // The server throws an error for an argument for which the function has no value; the result here is NULL.
      printer.say("(CASE WHEN (\(first))\(word: condition) THEN \(word: name)((\(first))::double precision) END)")
    }
    switch function {
    case .absolute, .random: return false
    case .squareRoot: guarded("sqrt", " >= 0")
    case .commonLogarithm: guarded("log", " > 0")
    case .naturalLogarithm: guarded("ln", " > 0")
    case .exponential: guarded("exp", " < 709")
    case .floor: call("floor")
    case .ceiling: call("ceil")
    case .truncation: call("trunc")
    case .onesComplement: printer.say("(~ (\(first))::bigint)")
    case .modulus: write(.modulus, first, second, isDecimal: true, to: &printer)
    case .power: printer.say("power((\(first))::double precision, (\(second))::double precision)")
    case .bitAnd: write(.bitAnd, first, second, isDecimal: false, to: &printer)
    case .bitOr: write(.bitOr, first, second, isDecimal: false, to: &printer)
    case .bitXor: printer.say("((\(first))::bigint # (\(second))::bigint)")
    case .shiftLeft: write(.shiftLeft, first, second, isDecimal: false, to: &printer)
    case .shiftRight: write(.shiftRight, first, second, isDecimal: false, to: &printer)
    case .randomBelow: printer.say("floor(random() * (\(first)))")
    default: return false
    }
    return true
  }

  /// Writes a function of several values. It leaves out NULL, as the evaluator does.
  private func write(
    listFunction function: ExpressionFunction, _ values: [SQLExpression], to printer: inout SQLPrinter
  ) {
    let call =
      switch function {
      case .minimum: "LEAST("
      case .maximum: "GREATEST("
      case .sum: "(SELECT SUM(v) FROM unnest(ARRAY["
      case .average: "(SELECT AVG(v) FROM unnest(ARRAY["
      case .median: "(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM unnest(ARRAY["
      default: "(SELECT stddev_pop(v) FROM unnest(ARRAY["
      }
    printer.write(call)
    for (index, value) in values.enumerated() {
      if index > 0 { printer.write(", ") }
      printer.print(value)
    }
    printer.write(function == .minimum || function == .maximum ? ")" : "]) AS v)")
  }
}
