// Operators and their operands.
extension SQLPrinter {
  package mutating func infix(_ left: SQLExpression, _ symbol: String, _ right: SQLExpression) {
    operand(left)
    write(" ")
    write(symbol)
    write(" ")
    operand(right)
  }

  package mutating func postfix(_ expression: SQLExpression, _ text: String) {
    operand(expression)
    write(" \(text)")
  }

  /// Prints an operand of an operator. A condition gets parentheses.
  package mutating func operand(_ expression: SQLExpression) {
    switch expression {
    case .compare, .isNull, .isNotNull, .isNotTrue, .between, .inValues, .inIntegers, .inKeys, .inList,
      .inKeyParameter, .isSameString, .inSelect, .notInSelect, .exists, .notExists, .contains,
      .endsWith:
      write("(")
      print(expression)
      write(")")
    default: print(expression)
    }
  }

  /// Prints terms joined by AND or OR, in parentheses. A long chain becomes a balanced tree, because SQLite limits the
  /// depth of an expression and reads a chain as a list that is nested to the left.
  package mutating func chain(_ terms: ArraySlice<SQLExpression>, _ connective: String, none: Bool) {
    guard terms.count > 1, let first = terms.first else {
      if let term = terms.first { print(term) } else { write(dialect.truth(none)) }
      return
    }
    write("(")
    if terms.count > 16 {
      let middle = terms.startIndex + terms.count / 2
      chain(terms[..<middle], connective, none: none)
      write(" \(connective) ")
      chain(terms[middle...], connective, none: none)
    } else {
      print(first)
      for term in terms.dropFirst() {
        write(" \(connective) ")
        print(term)
      }
    }
    write(")")
  }
}
