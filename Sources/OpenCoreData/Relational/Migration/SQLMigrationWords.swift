/// The parts of a migration's expressions that differ between databases, besides those that the dialect knows.
package protocol SQLMigrationWords: Sendable {
  /// The name of the function that returns the first of two values that is not NULL.
  var fallback: String { get }

  /// Converts a number in a column to another attribute type, by the rules of `AttributeMigration.value(of:)`. Nil if
  /// the number is written unchanged; the column's type may still convert it.
  func converted(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// The condition for rows whose number the new type cannot hold; nil if there can be no such rows.
  func misfits(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// Adds or removes the byte in front of data that says where the data is; nil if this database stores no such byte.
  func marked(_ column: String, isMarked: Bool) -> String?

  /// A value as a literal for the column of an attribute.
  func literal(_ value: StoredValue, _ attribute: SQLAttribute) -> String?

  /// Joins the texts of a group of rows into one text.
  func list(_ text: String, by separator: String) -> String
}
