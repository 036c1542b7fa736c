// Operators of strings, which are compared byte by byte.
extension PostgreSQLDialect {
  /// The pattern of LIKE, where `%` and `_` stand for `*` and `?`.
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
    return result
  }

  package func write(
    _ test: SQLStringTest, _ options: SQLStringOptions, _ string: SQLExpression, _ pattern: SQLExpression,
    to printer: inout SQLPrinter
  ) {
    guard options.isEmpty else { return printer.refuse("a string operator with options") }
    switch test {
    case .equals: printer.say("\(string) = \(pattern)")
    // Nothing contains the empty string.
    case .contains: printer.say("(strpos(\(string), \(pattern)) > 0 AND \(pattern) <> '')")
    case .beginsWith: printer.say("(starts_with(\(string), \(pattern)) AND \(pattern) <> '')")
    case .endsWith:
      printer.say("(right(\(string), char_length(\(pattern))) = \(pattern) AND \(pattern) <> '')")
    case .like: printer.refuse("LIKE with a pattern that is not constant")
    case .matches: printer.refuse("MATCHES")
    }
  }
}
