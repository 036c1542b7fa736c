extension PredicateLowering {
  /// The largest number of values in a list of variables.
  private var maximumVariables: Int { model.dialect.limits.listVariables }

  /// Returns the condition that an operand is one of the values. One value becomes `= ?`, and integers become one
  /// variable. Other values become a list of variables that is filled up to a power of two, so that few statements
  /// serve lists of all lengths. A long list becomes one variable, too.
  package func isOne(of repeated: [SQLValue], _ operand: SQLExpression) -> SQLExpression {
    guard let first = repeated.first else { return .bool(false) }
    if repeated.allSatisfy({ $0 == first }) { return .compare(.equal, operand, .value(first)) }
    // Equal values need not be removed, because the database makes a set of the values itself.
    if case .integer = first {
      let integers = repeated.compactMap { if case .integer(let value) = $0 { value } else { nil } }
      if integers.count == repeated.count { return .inKeys(operand, integers) }
    }
    // But a list that is too long without that may have few different values.
    let values = repeated.count <= maximumVariables ? repeated : distinct(repeated)
    guard values.count <= maximumVariables else {
      return .any(SQLList.lists(of: values).map { .inList(operand, $0) })
    }
    var count = 2
    while count < values.count { count *= 2 }
    return .inValues(operand, values + Array(repeating: first, count: count - values.count))
  }

  private func distinct(_ values: [SQLValue]) -> [SQLValue] {
    var seen: Set<SQLValue> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// Returns the condition that an operand is one of the keys.
  package func isOne(of keys: [Int64], _ operand: SQLExpression) -> SQLExpression {
    guard let first = keys.first else { return .bool(false) }
    if keys.count == 1 || keys.allSatisfy({ $0 == first }) { return .compare(.equal, operand, .value(.integer(first))) }
    return .inKeys(operand, keys)
  }

  /// Returns the condition that a string equals one of the values in a locale. Such equal strings have no common form
  /// to compare.
  package func isSame(as values: [SQLValue], _ operand: SQLExpression, _ options: SQLStringOptions) -> SQLExpression {
    guard values.count > maximumVariables else {
      return .any(
        values.map { .compare(.equal, .stringOrder(options: options, operand, .value($0)), .integer(0)) })
    }
    return .any(SQLList.lists(of: values).map { .isSameString(options: options, operand, $0) })
  }
}
