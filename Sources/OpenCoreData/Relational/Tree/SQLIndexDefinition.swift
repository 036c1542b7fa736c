/// An index to create, as data.
struct SQLIndexDefinition: Sendable {
  var name: String
  var table: String
  var terms: [SQLIndexTerm]
  /// The rows that the index has; nil for all.
  var condition: SQLExpression?
  var isUnique = false
  /// Whether the table is a private one, and the index may be there already.
  var isPrivate = false
}

/// What an index sorts by.
struct SQLIndexTerm: Sendable {
  /// A column or an expression of columns, which have no alias there.
  var expression: SQLExpression
  var isDescending = false
  /// Whether the order is stated, as it is for what fetches sort by; keys to look up have none.
  var statesOrder = true

  /// A key that is looked up.
  static func key(_ column: String) -> SQLIndexTerm { SQLIndexTerm(expression: .name(column), statesOrder: false) }
}

extension SQLPrinter {
  /// Prints a CREATE INDEX, whose values are part of the text.
  mutating func print(_ index: SQLIndexDefinition) {
    write(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
    if index.isPrivate { write("IF NOT EXISTS ") }
    write("\(dialect.quoted(index.name)) ON \(dialect.quoted(index.table)) (")
    for (place, term) in index.terms.enumerated() {
      if place > 0 { write(", ") }
      printDefinition(term.expression)
      if term.statesOrder { write(dialect.suffix(ofIndexTermThatIsDescending: term.isDescending)) }
    }
    write(")")
    if let condition = index.condition {
      write(" WHERE ")
      printDefinition(condition)
    }
  }
}
