/// An index to create, as data.
package struct SQLIndexDefinition: Sendable {
  package var name: String
  package var table: String
  package var terms: [SQLIndexTerm]
  /// The condition for the rows in the index; nil for all rows.
  package var condition: SQLExpression?
  package var isUnique = false
  /// Whether the table is private to the connection, so that the index may already exist.
  package var isPrivate = false
}

/// A term that an index sorts by.
package struct SQLIndexTerm: Sendable {
  /// A column, or an expression of columns. The columns have no alias.
  package var expression: SQLExpression
  package var isDescending = false
  /// Whether the text states the order. It does for terms that fetches sort by, but not for keys that are looked up.
  package var statesOrder = true

  /// A term for a key that is looked up.
  package static func key(_ column: String) -> SQLIndexTerm {
    SQLIndexTerm(expression: .name(column), statesOrder: false)
  }
}

extension SQLPrinter {
  /// Prints a CREATE INDEX. Values are part of its text.
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
