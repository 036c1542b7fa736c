// Operators of strings, which are compared byte by byte.
extension PostgreSQLDialect {
  /// Returns the pattern of SQL's LIKE for a predicate's pattern: `%` stands for `*`, and `_` for `?`.
  package static func like(_ pattern: String) -> String {
    var result = "", isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: result += "%"
      case "?" where !isEscaped: result += "_"
      case "%", "_", "\\": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    // A backslash at the end stands for itself.
    return isEscaped ? result + "\\\\" : result
  }

  /// Writes an expression on strings that needs more than an operator of SQL. Returns false for any other expression.
  package func write(strings expression: SQLExpression, to printer: inout SQLPrinter) -> Bool {
    switch expression {
    case .compare(let comparison, .stringOrder(let options, let first, let second), .integer(0)):
      compare(comparison, options, first, second, to: &printer)
    case .compare(let comparison, let string, .value(.text(let value))) where Self.isComputed(string):
      compare(comparison, [], string, .value(.text(value)), to: &printer)
    case .compare(let comparison, .value(.text(let value)), let string) where Self.isComputed(string):
      compare(comparison.flipped, [], string, .value(.text(value)), to: &printer)
    case .compare(let comparison, let string, .value(.text(let value))) where value.utf8.contains(0):
      compare(comparison, string, withNUL: value, to: &printer)
    case .compare(let comparison, .value(.text(let value)), let string) where value.utf8.contains(0):
      compare(comparison.flipped, string, withNUL: value, to: &printer)
    case .between(let string, .value(.text(let low)), .value(.text(let high)))
    where Self.isComputed(string) || low.utf8.contains(0) || high.utf8.contains(0):
      printer.print(
        .and([
          .compare(.greaterOrEqual, string, .value(.text(low))), .compare(.lessOrEqual, string, .value(.text(high))),
        ]))
    case .inList(_, .textsWithNUL): printer.print(.truth(false))
    case .inList(let string, .texts(let values)) where Self.isComputed(string):
      ask(SQLStringQuestion(.isOne(of: values, [])), of: string, to: &printer)
    case .isSameString(let options, let string, .texts(let values)),
      .isSameString(let options, let string, .textsWithNUL(let values)):
      ask(SQLStringQuestion(.isOne(of: values, options)), of: string, to: &printer)
    case .isSameString: printer.print(.truth(false))
    case .contains(let string, .value(.text(let pattern))):
      return test(.contains, string, pattern, to: &printer)
    case .endsWith(let string, let pattern): return test(.endsWith, string, pattern, to: &printer)
    case .like(let string, let pattern): return test(.like, string, pattern, to: &printer)
    case .stringTest(let test, let options, let string, let pattern):
      write(test, options, string, pattern, to: &printer)
    default: return false
    }
    return true
  }

  /// Whether an expression is the result of functions of strings, so that the framework has to judge what is equal to
  /// it.
  private static func isComputed(_ expression: SQLExpression) -> Bool {
    switch expression {
    case .function(let function, let arguments): SQLStringFunction(function, arguments) != nil
    case .unindexed(let operand): isComputed(operand)
    default: false
    }
  }

  /// Writes a test with a computed string, or with a pattern that contains U+0000, which no text here does. Returns
  /// false for any other test, which an operator of SQL can do.
  private func test(
    _ test: SQLStringTest, _ string: SQLExpression, _ pattern: String, to printer: inout SQLPrinter
  ) -> Bool {
    if pattern.utf8.contains(0) {
      printer.print(.truth(false))
      return true
    }
    guard Self.isComputed(string) else { return false }
    ask(SQLStringQuestion(.passes(test, [.folded], pattern)), of: string, to: &printer)
    return true
  }

  /// Writes a comparison with a value that contains U+0000. No text here equals it. A text is less than the value if it
  /// is not greater than the value's part before the U+0000.
  private func compare(
    _ comparison: SQLComparison, _ string: SQLExpression, withNUL value: String, to printer: inout SQLPrinter
  ) {
    var start = ""
    start.unicodeScalars.append(contentsOf: value.unicodeScalars.prefix { $0.value != 0 })
    switch comparison {
    case .equal, .is: printer.print(.truth(false))
    case .isNot: printer.print(.truth(true))
    case .notEqual: printer.print(.isNotNull(string))
    case .less, .lessOrEqual: printer.print(.compare(.lessOrEqual, string, .value(.text(start))))
    case .greater, .greaterOrEqual: printer.print(.compare(.greater, string, .value(.text(start))))
    }
  }

  /// Writes a test of two strings, each of which may be a constant.
  private func write(
    _ test: SQLStringTest, _ options: SQLStringOptions, _ string: SQLExpression, _ pattern: SQLExpression,
    to printer: inout SQLPrinter
  ) {
    // The option for the order of a locale makes no difference to these tests, except to MATCHES.
    let folding = options.intersection([.caseInsensitive, .diacriticInsensitive, .widthInsensitive])
    let used = test == .matches ? options : folding.union(options.intersection(.folded))
    switch (string, pattern) {
    case (.value(.text(let string)), .value(.text(let pattern))):
      guard let holds = try? SQLStringQuestion(.passes(test, used, pattern)).holds(string) else {
        return printer.refuse("MATCHES with a pattern that is none")
      }
      printer.print(.truth(holds))
    case (let string, .value(.text(let pattern))):
      if test == .matches, folding.isEmpty, !Self.isComputed(string), let own = PostgreSQLPattern(pattern) {
        return printer.say("(\(string) ~ \(.value(.text(own.text))))")
      }
      ask(SQLStringQuestion(.passes(test, used, pattern)), of: string, to: &printer)
    case (.value(.text(let other)), let pattern)
    where !folding.isEmpty || test == .like || test == .matches || other.utf8.contains(0):
      ask(SQLStringQuestion(.isPattern(test, used, of: other)), of: pattern, to: &printer)
    case (let string, let pattern):
      guard test != .matches else { return printer.refuse("MATCHES with a pattern that is not constant") }
      let fold = { (operand: SQLExpression) -> SQLExpression in
        folding.isEmpty ? operand : .function(.fold, [operand, .integer(folding.rawValue)])
      }
      compareBytes(test, fold(string), fold(pattern), to: &printer)
    }
  }

  /// Writes a test that compares strings byte by byte.
  private func compareBytes(
    _ test: SQLStringTest, _ string: SQLExpression, _ pattern: SQLExpression, to printer: inout SQLPrinter
  ) {
    switch test {
    case .equals: printer.say("\(string) = \(pattern)")
    // No string contains, begins with or ends with the empty string.
    case .contains: printer.say("(strpos(\(string), \(pattern)) > 0 AND \(pattern) <> '')")
    case .beginsWith: printer.say("(starts_with(\(string), \(pattern)) AND \(pattern) <> '')")
    case .endsWith:
      printer.say("(right(\(string), char_length(\(pattern))) = \(pattern) AND \(pattern) <> '')")
    case .like, .matches:
      printer.say("(\(string) LIKE ")
      writeResult(of: pattern, .sqlPattern, to: &printer)
      printer.write(")")
    }
  }
}
