/// An INSERT, as data.
package struct SQLInsert: Sendable {
  /// Where the rows come from.
  package enum Source: Sendable {
    /// One row.
    case values([SQLExpression])
    case select(SQLSelect)
    /// A select that is printed already.
    case statement(SQLStatement)
  }

  package var table: String
  package var columns: [String]
  package var source: Source
  /// Whether rows that violate a key or a unique index are left out.
  package var leavesOutConflicts = false

  package init(_ table: String, _ columns: [String], _ source: Source, leavesOutConflicts: Bool = false) {
    (self.table, self.columns, self.source) = (table, columns, source)
    self.leavesOutConflicts = leavesOutConflicts
  }

  /// An INSERT of one row whose values are all bound.
  package init(
    _ table: String, binding columns: [(name: String, type: SQLColumnType)], leavesOutConflicts: Bool = false
  ) {
    self.init(
      table, columns.map(\.name), .values(columns.map { .parameter($0.type) }), leavesOutConflicts: leavesOutConflicts)
  }
}

extension SQLPrinter {
  /// Prints an INSERT.
  package mutating func print(_ insert: SQLInsert) {
    write(dialect.beginOfInsert(thatLeavesOutConflicts: insert.leavesOutConflicts))
    write(" \(dialect.quoted(insert.table))(\(insert.columns.map(dialect.quoted).joined(separator: ", "))) ")
    switch insert.source {
    case .values(let values):
      write("VALUES(")
      for (index, value) in values.enumerated() {
        if index > 0 { write(", ") }
        print(value)
      }
      write(")")
    case .select(let select): print(select)
    case .statement(let statement): append(statement)
    }
    if insert.leavesOutConflicts { write(dialect.endOfInsertThatLeavesOutConflicts) }
  }
}
