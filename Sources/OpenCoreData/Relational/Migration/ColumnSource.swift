import Foundation

/// The source of a column's values in the new version, for the rows of one entity.
package struct ColumnSource: Hashable, Sendable {
  /// The old column that becomes this one.
  package var base: String?
  /// The value by the old row's columns; nil for that of `base` as it is.
  package var sql: String?
  /// The rows whose value is another one than before; nil for all.
  package var condition: String?
  /// Whether the value depends on the row alone, and not on other rows.
  package var isLocal = true

  /// No value.
  package static let none = ColumnSource(base: nil, sql: "NULL")

  package static func keep(_ column: String) -> ColumnSource { ColumnSource(base: column, sql: nil) }

  package var isKept: Bool { base != nil && sql == nil }

  package var expression: String { sql ?? base ?? "NULL" }
}
