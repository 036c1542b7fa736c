// Questions about strings that the framework answers, and functions of strings that the framework computes. The
// framework does so for the values of the columns concerned, when the statement runs.
extension PostgreSQLDialect {
  /// Writes the condition that the answer to a question is yes. The server tests ASCII strings itself if its operators
  /// give the same answers, so that only the other strings have to be looked up and judged.
  package func ask(_ question: SQLStringQuestion, of string: SQLExpression, to printer: inout SQLPrinter) {
    guard let source = SQLStringSource(string, printer.tables) else { return refuse(string, &printer) }
    let question = SQLStringQuestion(question.test, after: source.functions + question.functions)
    let ofASCII = question.ofASCII(source.expression)
    if source.isASCII, let ofASCII { return printer.say("(\(ofASCII))") }
    guard source.isComplete else { return refuse(string, &printer) }
    if let constant = source.constant {
      guard let holds = try? question.holds(constant) else {
        return printer.refuse("MATCHES with a pattern that is none")
      }
      return printer.print(.truth(holds))
    }
    let value = source.expression
    printer.write("(")
    if let ofASCII { writeASCII(value, "THEN \(ofASCII)", to: &printer) }
    printer.operand(value)
    printer.write(" = ANY(")
    printer.bind(.those(question), of: columns(source, ofASCII != nil), and: constants(source, ofASCII != nil))
    printer.write(ofASCII == nil ? "))" : ") END)")
  }

  /// Writes the result of functions of a string by means of two arrays: all values, and the results at the same places.
  /// - Parameter function: a further function that is applied last.
  package func writeResult(
    of string: SQLExpression, _ function: SQLStringFunction? = nil, to printer: inout SQLPrinter
  ) {
    guard let source = SQLStringSource(string, printer.tables) else { return refuse(string, &printer) }
    let functions = source.functions + (function.map { [$0] } ?? [])
    let value = source.expression, ofASCII = functions.ofASCII(value)
    if source.isASCII, let ofASCII { return printer.print(ofASCII) }
    guard source.isComplete else { return refuse(string, &printer) }
    if let constant = source.constant { return printer.print(.value(.text(functions(constant)))) }
    let columns = columns(source, ofASCII != nil), constants = constants(source, ofASCII != nil)
    printer.write("(")
    if let ofASCII { writeASCII(value, "THEN \(ofASCII)", to: &printer) }
    printer.write("(")
    printer.bind(.results(functions), of: columns, and: constants)
    printer.say(")[width_bucket(\(value) COLLATE \"C\", ")
    printer.bind(.all, of: columns, and: constants)
    printer.write(ofASCII == nil ? ")] COLLATE \"C\")" : ")] COLLATE \"C\" END)")
  }

  private func writeASCII(_ value: SQLExpression, _ then: SQLText, to printer: inout SQLPrinter) {
    printer.say("CASE WHEN octet_length(\(value)) = char_length(\(value)) ")
    printer.say(then)
    printer.write(" ELSE ")
  }

  private func columns(_ source: SQLStringSource, _ areBeyondASCII: Bool) -> [SQLStringColumn] {
    let columns = areBeyondASCII ? source.columns.filter { $0.form == .text } : source.columns
    return columns.map { column in
      var column = column
      column.isBeyondASCII = areBeyondASCII
      return column
    }
  }

  private func constants(_ source: SQLStringSource, _ areBeyondASCII: Bool) -> [String] {
    areBeyondASCII ? source.constants.filter { !$0.utf8.allSatisfy { $0 < 0x80 } } : source.constants
  }

  private func refuse(_ string: SQLExpression, _ printer: inout SQLPrinter) {
    printer.refuse("a string operator with options, MATCHES or a function of strings on a value that no column holds")
  }

  // MARK: Orders

  /// Writes a comparison of strings in the order that options ask for.
  package func compare(
    _ comparison: SQLComparison, _ options: SQLStringOptions, _ first: SQLExpression, _ second: SQLExpression,
    to printer: inout SQLPrinter
  ) {
    if comparison == .isNot || comparison == .notEqual {
      // If a string is missing, the comparison is NULL: `isNot` then holds, and `notEqual` does not.
      let isOther = comparison == .isNot ? ") IS NOT TRUE" : ") IS FALSE"
      printer.write("(")
      compare(.equal, options, first, second, to: &printer)
      return printer.write(isOther)
    }
    switch (first, second) {
    case (let string, .value(.text(let value))):
      ask(SQLStringQuestion(.order(comparison, options, value)), of: string, to: &printer)
    case (.value(.text(let value)), let string):
      ask(SQLStringQuestion(.orderOf(value, comparison, options)), of: string, to: &printer)
    default:
      if options.contains(.localeSensitive) {
        return printer.refuse("the order of a locale between two strings that are not constant")
      }
      let fold = { (operand: SQLExpression) -> SQLExpression in .function(.fold, [operand, .integer(options.rawValue)])
      }
      printer.say("\(fold(first)) \(word: comparison == .is ? "=" : comparison.rawValue) \(fold(second))")
    }
  }

  /// Writes the form of a string by which caseInsensitiveCompare: sorts. ICU folds the string. Before, the characters
  /// that ICU folds differently than Foundation are replaced by code points that never occur in texts; afterwards they
  /// are put back.
  func writeCaseInsensitive(_ string: SQLExpression, to printer: inout SQLPrinter) {
    printer.write("(")
    writeASCII(string, "THEN lower(\(string) COLLATE \"C\")", to: &printer)
    printer.say("normalize(translate(lower(upper(translate(replace(\(string), U&'\\1E9E', 'ss'), ")
    printer.say("\(word: Self.carried), \(word: Self.carriers)) COLLATE \"und-x-icu\")), ")
    printer.say("\(word: Self.carriers) || U&'\\03C2', \(word: Self.carried) || U&'\\03C3'), NFC) COLLATE \"C\" END)")
  }

  private static let carried = "U&'\\0131\\1C80\\1C81\\1C82\\1C83\\1C84\\1C85\\1C86\\1C87\\1C88'"
  private static let carriers = "U&'\\FDD0\\FDD1\\FDD2\\FDD3\\FDD4\\FDD5\\FDD6\\FDD7\\FDD8\\FDD9'"
}
