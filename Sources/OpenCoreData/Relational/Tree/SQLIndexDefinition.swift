/// An index to create, as data.
package struct SQLIndexDefinition: Sendable {
  package var name: String
  package var table: String
  package var terms: [SQLIndexTerm]
  /// The rows that the index has; nil for all.
  package var condition: SQLExpression?
  package var isUnique = false
  /// Whether the table is private to the store, so that the index may exist already.
  package var isPrivate = false
}

/// A term by which an index sorts.
package struct SQLIndexTerm: Sendable {
  /// A column or an expression of columns, which have no alias there.
  package var expression: SQLExpression
  package var isDescending = false
  /// Whether the order is part of the statement. It is for terms by which fetches sort, and not for keys that are only looked
  /// up.
  package var statesOrder = true

  /// A key that is looked up.
  package static func key(_ column: String) -> SQLIndexTerm {
    SQLIndexTerm(expression: .name(column), statesOrder: false)
  }
}

extension SQLPrinter {
  /// Prints a CREATE INDEX, whose values are part of the text.
  package mutating func print(_ index: SQLIndexDefinition) {
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
