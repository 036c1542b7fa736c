/// A condition that no row of a table may meet. The rows that meet it are counted in one pass over the table.
struct RowCondition {
  let kind: StoreProblem.Kind
  var severity = StoreProblem.Severity.error
  let place: String
  let text: String
  /// The condition as SQL, in which `t` is the row.
  let sql: String
}

/// The conditions of one aspect of the rows of a table.
protocol RowCheck: Sendable {
  func conditions(for table: SQLTable, of schema: SQLModel, in store: InspectedStore) -> [RowCondition]
}

extension SQLEntity {
  /// The columns that the entity has in addition to those of its superentity.
  var ownColumns: ArraySlice<SQLColumn> { columns.dropFirst(superentity?.columns.count ?? 0) }

  /// Returns the condition that the row `alias` is of this entity or of one that inherits from it; nil if all rows of the
  /// table are.
  func membership(_ alias: String) -> String? {
    superentity == nil ? nil : "\(alias).Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// Returns the condition that the row `alias` is neither of this entity nor of one that inherits from it.
  func exclusion(_ alias: String) -> String {
    "\(alias).Z_ENT NOT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }
}

extension SQLTable {
  /// Returns the entities of the table, the root first.
  func entities(of schema: SQLModel) -> [SQLEntity] { entityNumbers.compactMap(schema.entity(number:)) }
}
