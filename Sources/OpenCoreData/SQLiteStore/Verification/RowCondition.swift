/// A condition that no row of a table may meet. One pass over the table counts the rows that meet it.
struct RowCondition {
  let kind: StoreProblem.Kind
  var severity = StoreProblem.Severity.error
  let place: String
  let text: String
  /// The condition; the row is `t`.
  let sql: String
}

/// The conditions of one aspect of the rows of a table.
protocol RowCheck: Sendable {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition]
}

extension SQLEntity {
  /// The columns that the entity adds to those of its superentity.
  var ownColumns: ArraySlice<SQLColumn> { columns.dropFirst(superentity?.columns.count ?? 0) }

  /// The condition that the row `alias` is of this entity or of one that inherits from it; nil if all rows are.
  func membership(_ alias: String) -> String? {
    superentity == nil ? nil : "\(alias).Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// The condition that the row `alias` is of none of these; nil where all rows are.
  func exclusion(_ alias: String) -> String {
    "\(alias).Z_ENT NOT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }
}

extension SQLTable {
  /// The entities of the table, the root first.
  func entities(of schema: SQLModel) -> [SQLEntity] { entityNumbers.compactMap(schema.entity(number:)) }
}
