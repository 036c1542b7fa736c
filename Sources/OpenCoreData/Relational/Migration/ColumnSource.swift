import Foundation

/// The source of a column's values in the new version, for the rows of one entity.
package struct ColumnSource: Hashable, Sendable {
  /// The old column that continues as this column.
  package var base: String?
  /// The value as SQL over the old row's columns; nil if the value of `base` is kept.
  package var sql: String?
  /// The condition for the rows whose value changes; nil for all rows.
  package var condition: String?
  /// Whether the value depends only on the columns of its own row.
  package var isLocal = true

  /// The source of a column without values.
  package static let none = ColumnSource(base: nil, sql: "NULL")

  package static func keep(_ column: String) -> ColumnSource { ColumnSource(base: column, sql: nil) }

  package var isKept: Bool { base != nil && sql == nil }

  package var expression: String { sql ?? base ?? "NULL" }
}
