extension SQLPrinter {
  /// Prints operators of the same rank one after the other, without nested parentheses, which SQLite's parser would
  /// stack up.
  package mutating func arithmetic(_ expression: SQLExpression) {
    guard case .arithmetic(let last, _, _) = expression else { return print(expression) }
    var operands: [(sign: SQLArithmetic, operand: SQLExpression)] = []
    var left = expression
    while case .arithmetic(let sign, let first, let second) = left, sign == last || sign.rank == last.rank {
      operands.append((sign, second))
      left = first
    }
    operand(left)
    for (sign, second) in operands.reversed() {
      write(" \(sign.rawValue) ")
      operand(second)
    }
  }

  package mutating func list(_ operand: SQLExpression, _ values: [SQLValue]) {
    print(operand)
    write(" IN (")
    if !bind(all: values) {
      for (index, value) in values.enumerated() {
        if index > 0 { write(",") }
        bind(value)
      }
    }
    write(")")
  }

  package mutating func call(_ function: SQLFunctionName, _ arguments: [SQLExpression]) {
    guard let name = dialect.name(of: function) else { return refuse("\(function)") }
    call(name, arguments)
  }

  package mutating func collate(_ operand: SQLExpression, _ collation: SQLCollation) {
    guard let name = dialect.name(of: collation) else { return refuse("the order \(collation)") }
    postfix(operand, "COLLATE \(name)")
  }

  package mutating func call(_ name: String, _ arguments: [SQLExpression]) {
    write("\(name)(")
    if name == "COUNT", arguments.isEmpty { write("*") }
    for (index, argument) in arguments.enumerated() {
      if index > 0 { write(", ") }
      print(argument)
    }
    write(")")
  }

  package mutating func choose(_ cases: [(condition: SQLExpression, value: SQLExpression)], _ otherwise: SQLExpression)
  {
    write("(CASE")
    for (condition, value) in cases {
      write(" WHEN ")
      print(condition)
      write(" THEN ")
      print(value)
    }
    write(" ELSE ")
    print(otherwise)
    write(" END)")
  }

  package mutating func nested(_ select: SQLSelect) {
    write("(")
    print(select)
    write(")")
  }
}
