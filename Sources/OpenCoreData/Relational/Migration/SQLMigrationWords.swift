/// What the expressions of migrations say differently in each database, besides what its dialect knows.
package protocol SQLMigrationWords: Sendable {
  /// The function that gives the first of two values that is not NULL.
  var fallback: String { get }

  /// A number of a column as one of another type of attribute, by the rules of `AttributeMigration.value(of:)`; nil where
  /// it is written as it was, but for what the column's type does with it.
  func converted(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// The condition on rows whose number the new type cannot hold; nil where there can be none.
  func misfits(_ column: String, from: NSAttributeType, to: NSAttributeType) -> String?

  /// Bytes that get, or lose, the byte in front which says where the value is; nil where no value has one.
  func marked(_ column: String, isMarked: Bool) -> String?

  /// A value as the column of an attribute has it.
  func literal(_ value: StoredValue, _ attribute: SQLAttribute) -> String?

  /// The texts of a group of rows as one.
  func list(_ text: String, by separator: String) -> String
}
