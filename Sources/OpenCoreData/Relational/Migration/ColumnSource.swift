import Foundation

/// The source of a column's values in the new version, for the rows of one entity.
package struct ColumnSource: Hashable, Sendable {
  /// The old column whose values the new column takes over.
  package var base: String?
  /// The SQL of the value, in terms of the old row's columns; nil if the value is that of `base`.
  package var sql: String?
  /// The condition for rows whose value changes; nil if all change.
  package var condition: String?
  /// Whether the value depends on the row alone, and not on other rows.
  package var isLocal = true

  /// No value.
  package static let none = ColumnSource(base: nil, sql: "NULL")

  package static func keep(_ column: String) -> ColumnSource { ColumnSource(base: column, sql: nil) }

  package var isKept: Bool { base != nil && sql == nil }

  package var expression: String { sql ?? base ?? "NULL" }
}
