/// The parts of migration statements that each database expresses in its own way, besides those that its dialect knows.
package protocol SQLMigrationWords: Sendable {
  /// The function that gives the first of two values that is not NULL.
  var fallback: String { get }

  /// A column's number converted to another type of attribute, by the rules of `AttributeMigration.value(of:)`. Nil if the
  /// value is written unchanged, except for what the column's type makes of it.
  func converted(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// The condition on rows whose number the new type cannot hold; nil where there can be none.
  func misfits(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// Data that get or lose the first byte, which says where the value is; nil if the database has no such byte.
  func marked(_ column: String, isMarked: Bool) -> String?

  /// A value in the form of an attribute's column.
  func literal(_ value: StoredValue, _ attribute: SQLAttribute) -> String?

  /// An aggregate that joins the texts of a group's rows.
  func list(_ text: String, by separator: String) -> String
}
